import { Link, useViewTransitionState } from 'react-router'
import { MakerLink } from '#accounts/web/MakerLink.tsx'
import { Photo, type Picture } from '#images/web/Photo.tsx'
import { StarIcon } from '#ui/icons.tsx'
import { listedPrice } from '../listed-price.ts'
import type { CardListing } from './card-listing.ts'
import { Heart } from './Heart.tsx'
import { MakerPicture } from './MakerPicture.tsx'
import { prefetch } from './prefetch.ts'
import './listings.css'

interface CardProps {
  listing: CardListing
  eager: boolean
  /** Whether the page may have another card of this listing. */
  again?: boolean
}

/**
 * A listing in a grid. Its link covers the whole card; other links are above it, and follow in tab order. Its picture
 * loads at once if it is `eager`, else lazily.
 */
export function ListingCard({ listing, eager, again = false }: CardProps) {
  const { id, images, seller } = listing
  const prefetchListing = () => void prefetch(id)
  const to = `/products/${id}`
  // The photo of the view transition.
  const opening = useViewTransitionState(to)
  const anchor = again ? undefined : `card-${id}`
  return (
    <li id={anchor} className={opening ? 'card opening' : 'card'}>
      <Link
        className="card-piece"
        to={to}
        viewTransition
        onPointerEnter={prefetchListing}
        onTouchStart={prefetchListing}
        onFocus={prefetchListing}
      >
        <CardInside {...listing} image={images[0]} eager={eager} />
      </Link>
      <MakerLink className="card-maker" username={seller} viewTransition>
        <MakerPicture {...listing} />
        {`by ${listing.maker}`}
      </MakerLink>
      <Heart id={id} name={listing.name} within={anchor} />
    </li>
  )
}

type CardInsideProps = Pick<
  CardListing,
  'name' | 'price' | 'price_varies' | 'stock' | 'rating' | 'review_count'
> & {
  image: Picture | undefined
  eager: boolean
}

/** As listings.css lays out cards: four, three, two or one in a row. */
const SIZES = [
  '(min-width: 75rem) 18rem',
  '(min-width: 69rem) calc(25vw - 1.25rem)',
  '(min-width: 29.5rem) calc(33.4vw - 1.33rem)',
  'calc(50vw - 1.5rem)',
].join(', ')

/** Contents of a card. */
export function CardInside({
  image,
  eager,
  name,
  price,
  price_varies,
  stock,
  rating,
  review_count,
}: CardInsideProps) {
  return (
    <>
      <Photo image={image} name={name} sizes={SIZES} eager={eager} />
      <span className="card-name">{name}</span>
      <span className="card-price">{listedPrice({ price, price_varies })}</span>
      {rating !== null && (
        <span className="card-rating">
          <StarIcon filled />
          <span aria-hidden="true">{`${rating.toFixed(1)} (${review_count})`}</span>
          <span className="visually-hidden">{`${rating.toFixed(1)} of 5 stars from ${reviewsOf(review_count)}`}</span>
        </span>
      )}
      <StockNote stock={stock} />
    </>
  )
}

const reviewsOf = (count: number) => (count === 1 ? '1 review' : `${count} reviews`)

/** Shown only for a stock of 0 or 1. */
function StockNote({ stock }: { stock: number }) {
  if (stock > 1) return null
  return (
    <span className={stock === 0 ? 'note sold-out' : 'note last-one'}>
      {stock === 0 ? 'Sold out' : 'Last one'}
    </span>
  )
}
