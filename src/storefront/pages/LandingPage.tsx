import type { ReactNode } from 'react'
import { Link, useLoaderData } from 'react-router'
import { useUser } from '#accounts/web/session.ts'
import type { Brand } from '#brand'
import { Photo } from '#images/web/Photo.tsx'
import type { CardListing } from '#products/web/card-listing.ts'
import { Browse } from '#search/web/Browse.tsx'
import type { Browsed } from '#search/web/browse.ts'
import { CategoryStrip } from '#search/web/CategoryStrip.tsx'
import { SearchBox } from '#search/web/SearchBox.tsx'
import { useBrand } from '#ui/brand.ts'
import { NothingYet } from './NothingYet.tsx'
import './landing.css'

export function Page() {
  const found = useLoaderData<Browsed>()
  const user = useUser()
  const { name, tagline, description, hero } = useBrand()
  // With filters, order or a cursor, the welcome is small.
  const further = Object.keys(found.query).length > 0
  const opening = further ? 'From' : 'Fresh from'
  const pictures = further ? null : hero ? <Hero {...hero} shop={name} /> : picksOf(found.page.products)
  return (
    <>
      <section className={further ? 'hero further' : 'hero'}>
        <div>
          <h1>Welcome to {name}</h1>
          <p className="tagline">{tagline}</p>
          {!further && <p className="about-shop">{description}</p>}
          <p className="actions">
            <Link className="button" to="/search">
              Browse
            </Link>
            <Link className="alone" to="/makers">
              Meet the makers
            </Link>
            {user && (
              <Link className="button quiet" to="/products/new">
                + Add a product listing
              </Link>
            )}
          </p>
        </div>
        {pictures}
      </section>
      <SearchBox place="page" />
      <CategoryStrip found={found} />
      <section aria-labelledby="newest">
        <h2 id="newest">{found.query.cursor ? 'More from' : opening} the workbench</h2>
        <Browse found={found} eager={!pictures}>
          <NothingYet />
        </Browse>
      </section>
    </>
  )
}

/** The picture that operators have chosen. */
function Hero({ picture, caption, link, shop }: NonNullable<Brand['hero']> & { shop: string }) {
  const figure = (
    <>
      <Photo
        image={picture}
        // A link needs a name.
        name={caption || (link ? shop : '')}
        sizes="(min-width: 60rem) 32rem, 92vw"
        silent={caption !== ''}
        eager
        first
      />
      {caption && (
        <span className="caption" dir="auto">
          {caption}
        </span>
      )}
    </>
  )
  return <p className="hero-picture">{link ? <Link to={link}>{figure}</Link> : figure}</p>
}

/** The first row of the list, which is right below the hero. */
const FIRST_ROW = 4
/** Least width of a photo in the hero, pixels. */
const LEAST_WIDTH = 800

/** The three best rated of the newest, for the hero; none of fewer. They are in the list as well. */
function picksOf(listings: CardListing[]): ReactNode {
  const pieces = listings
    .slice(FIRST_ROW)
    .filter(({ images, stock }) => stock > 0 && (images[0]?.width ?? 0) >= LEAST_WIDTH)
    .sort((a, b) => praiseOf(b) - praiseOf(a))
    .slice(0, 3)
  return (
    pieces.length === 3 && (
      <ul className="picks">
        {pieces.map(({ id, name, maker, images }) => (
          <li key={id}>
            <Link to={`/products/${id}`}>
              <Photo image={images[0]} name={name} sizes="(min-width: 60rem) 18rem, 30vw" eager />
              <span dir="auto">A piece by {maker}</span>
            </Link>
          </li>
        ))}
      </ul>
    )
  )
}

/** Stars above three, of all reviews: few very good ones are less than many good ones. */
const praiseOf = ({ rating, review_count }: CardListing): number => ((rating ?? 3) - 3) * review_count
