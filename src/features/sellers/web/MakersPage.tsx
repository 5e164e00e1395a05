import { Form, Link, useLoaderData } from 'react-router'
import { MakerLink } from '#accounts/web/MakerLink.tsx'
import { CATEGORIES } from '#products/categories.ts'
import { Empty } from '#ui/Empty.tsx'
import { Problems, SelectField, TextField } from '#ui/fields.tsx'
import { Paging } from '#ui/Paging.tsx'
import { type Maker, QUERY_LENGTH } from '../directory-contract.ts'
import type { Asked, MakersFound } from './makers.route.ts'
import { Portrait } from './Portrait.tsx'
import './shop.css'
import './makers.css'

/** The directory of makers, with a form that works without scripts. */
export function Page() {
  const { page, asked, refused } = useLoaderData<MakersFound>()
  const { makers, next_cursor } = page
  const narrowed = Boolean(asked.q || asked.place || asked.category)
  return (
    <>
      <h1>Makers</h1>
      <p className="sorted">
        Who makes what is for sale here. The newest first. Nobody pays to stand higher.
      </p>
      <Problems messages={refused === undefined ? undefined : [refused]} />
      <Filters asked={asked} narrowed={narrowed} />
      <div className="results" tabIndex={-1}>
        {makers.length > 0 ? (
          <ul className="makers">
            {makers.map(maker => (
              <MakerCard key={maker.id} maker={maker} />
            ))}
          </ul>
        ) : (
          refused === undefined && (
            <Empty drawing="stall" text={narrowed ? 'No maker matches this' : 'No makers yet'}>
              <Link className="button quiet" to={narrowed ? '/makers' : '/'}>
                {narrowed ? 'Show all makers' : 'All listings'}
              </Link>
            </Empty>
          )
        )}
      </div>
      <Paging next={next_cursor} />
    </>
  )
}

function Filters({ asked: { q, place, category }, narrowed }: { asked: Asked; narrowed: boolean }) {
  return (
    <Form action="/makers" role="search" className="search-form" key={`${q}|${place}|${category}`}>
      <TextField label="Name" name="q" type="search" defaultValue={q} maxLength={QUERY_LENGTH} />
      <TextField label="Place" name="place" type="search" defaultValue={place} maxLength={QUERY_LENGTH} />
      <SelectField label="Craft" name="category" defaultValue={category ?? ''}>
        <option value="">All crafts</option>
        {CATEGORIES.map(name => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      <div className="actions">
        <button type="submit" className="button">
          Show makers
        </button>
        {narrowed && <Link to="/makers">Show all</Link>}
      </div>
    </Form>
  )
}

function MakerCard({ maker: { username, display_name, name, place, words, picture } }: { maker: Maker }) {
  return (
    <li>
      <Portrait picture={picture} name={display_name} />
      <div>
        <h2>
          <MakerLink username={username}>{display_name}</MakerLink>
        </h2>
        {name !== '' && name !== display_name && <p dir="auto">{name}</p>}
        {place !== '' && (
          <p className="maker-place" dir="auto">
            {place}
          </p>
        )}
        {words !== '' && (
          <p className="maker-excerpt" dir="auto">
            {words}
          </p>
        )}
      </div>
    </li>
  )
}
