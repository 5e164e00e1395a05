import { Link, useViewTransitionState } from 'react-router'
import { MakerLink } from '#accounts/web/MakerLink.tsx'
import { Photo, type Picture } from '#images/web/Photo.tsx'
import { dollars } from '#money'
import { StarIcon } from '#ui/icons.tsx'
import type { Listing } from '../contract.ts'
import { Heart } from './Heart.tsx'
import { prefetch } from './prefetch.ts'
import './listings.css'

interface CardProps {
  listing: Listing
  eager: boolean
  first?: boolean
  /** The page may have a card of the same listing. */
  again?: boolean
}

/**
 * One listing in a grid. The link to the piece covers the whole card; what leads elsewhere lies on top of it, and
 * follows it for the keyboard. The first row's pictures are loaded at once, the others when they come near.
 */
export function ListingCard({ listing, eager, first = false, again = false }: CardProps) {
  const { id, images, seller } = listing
  const early = () => void prefetch(id)
  const to = `/products/${id}`
  // Its photo is the one that grows into the product page's, or comes back from there.
  const opening = useViewTransitionState(to)
  const place = again ? undefined : `card-${id}`
  return (
    <li id={place} className={opening ? 'card opening' : 'card'}>
      <Link
        className="card-piece"
        to={to}
        viewTransition
        onPointerEnter={early}
        onTouchStart={early}
        onFocus={early}
      >
        <CardInside {...listing} image={images[0]} eager={eager} first={first} />
      </Link>
      <MakerLink className="card-maker" username={seller} viewTransition>{`by ${seller}`}</MakerLink>
      <Heart id={id} name={listing.name} within={place} />
    </li>
  )
}

type CardInsideProps = Pick<Listing, 'name' | 'price' | 'stock' | 'rating' | 'review_count'> & {
  image: Picture | undefined
  eager: boolean
  first?: boolean
}

/** As wide as the grid in listings.css makes a card, which stands beside three others, two, or one. */
const SIZES = [
  '(min-width: 75rem) 18rem',
  '(min-width: 69rem) calc(25vw - 1.25rem)',
  '(min-width: 29.5rem) calc(33.4vw - 1.33rem)',
  'calc(50vw - 1.5rem)',
].join(', ')

/** What a card shows of a piece, whether it leads there or not. */
export function CardInside({
  image,
  eager,
  first,
  name,
  price,
  stock,
  rating,
  review_count,
}: CardInsideProps) {
  return (
    <>
      <Photo image={image} name={name} sizes={SIZES} eager={eager} first={first} />
      <span className="card-name">{name}</span>
      <span className="card-price">{dollars(price)}</span>
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

/** Said only where it matters: nothing left, or one. */
export function StockNote({ stock }: { stock: number }) {
  if (stock > 1) return null
  return (
    <span className={stock === 0 ? 'note sold-out' : 'note last-one'}>
      {stock === 0 ? 'Sold out' : 'Last one'}
    </span>
  )
}
