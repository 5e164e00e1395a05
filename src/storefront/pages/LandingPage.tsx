import { Link, useLoaderData } from 'react-router'
import { useUser } from '#accounts/web/session.ts'
import { brand } from '#brand'
import { Photo } from '#images/web/Photo.tsx'
import type { ListingPage } from '#products/contract.ts'
import { Browse } from '#search/web/Browse.tsx'
import type { Browsed } from '#search/web/browse.ts'
import { CategoryStrip } from '#search/web/CategoryStrip.tsx'
import { SearchBox } from '#search/web/SearchBox.tsx'
import { NothingYet } from './NothingYet.tsx'
import './landing.css'

export function Page() {
  const found = useLoaderData<Browsed>()
  const user = useUser()
  // With filters, order or a cursor, the welcome is small.
  const further = Object.keys(found.query).length > 0
  const opening = further ? 'From' : 'Fresh from'
  return (
    <>
      <section className={further ? 'hero further' : 'hero'}>
        <div>
          <h1>Welcome to {brand.name}</h1>
          <p className="tagline">{brand.tagline}</p>
          <p>
            <Link className="alone" to="/makers">
              Meet the makers
            </Link>
          </p>
          {user && (
            <Link className="button" to="/products/new">
              + Add a product listing
            </Link>
          )}
        </div>
        {!further && <Bench listings={found.page.products} />}
      </section>
      <SearchBox place="page" />
      <CategoryStrip found={found} />
      <section aria-labelledby="newest">
        <h2 id="newest">{found.query.cursor ? 'More from' : opening} the workbench</h2>
        <Browse found={found}>
          <NothingYet />
        </Browse>
      </section>
    </>
  )
}

/** Which of the newest are in the hero: not the first ones, which are right below. */
const ON_THE_BENCH = [5, 6, 4]

/** Three listings in the hero on wide screens. They are in the list as well. */
function Bench({ listings }: { listings: ListingPage['products'] }) {
  const pieces = ON_THE_BENCH.flatMap(index => listings[index] ?? []).filter(({ images }) => images[0]?.width)
  if (pieces.length < ON_THE_BENCH.length) return null
  return (
    <div className="bench" aria-hidden="true">
      {pieces.map(({ id, name, images }) => (
        <Photo key={id} image={images[0]} name={name} sizes="(min-width: 60rem) 18rem, 1px" silent />
      ))}
    </div>
  )
}
