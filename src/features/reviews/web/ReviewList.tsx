import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { useMayNotBuy, useUser } from '#accounts/web/session.ts'
import { Empty } from '#ui/Empty.tsx'
import { useFlash } from '#ui/flash.ts'
import { Paging } from '#ui/Paging.tsx'
import { SORTS, type Sort } from '../sorts.ts'
import { ChoiceLink } from './ChoiceLink.tsx'
import type { LoadedReviews } from './loadReviews.ts'
import { RatingSummary } from './RatingSummary.tsx'
import { ReviewItem } from './ReviewItem.tsx'
import './reviews.css'

interface ReviewListProps {
  listing: { id: number; seller: string; maker_name: string; seller_id: number }
  shown: LoadedReviews
}

/** Reviews of a listing, with a link to write one. */
export function ReviewList({ listing, shown }: ReviewListProps) {
  const user = useUser()
  const { reviews, counts, sort, stars, next } = shown
  const own = user ? shown.own : null
  const mayNotReview = useMayNotBuy(listing)
  const total = counts.reduce((sum, count) => sum + count, 0)
  // The viewer's own review is on every page of the list that may have it.
  const listed = own && !own.hidden && (stars ?? own.stars) === own.stars ? own : null
  const all = listed && !reviews.some(({ id }) => id === listed.id) ? [listed, ...reviews] : reviews
  return (
    <section className="reviews" aria-labelledby="reviews">
      <h2 id="reviews">Reviews</h2>
      <div className="review-summary">
        <RatingSummary counts={counts} chosen={stars} />
        {user && !own && !mayNotReview && (
          <p className="invite">
            <span>You have not left a review yet</span>
            <Link className="button quiet" to={`/products/${listing.id}/create-review`}>
              Create Review
            </Link>
          </p>
        )}
        {own?.hidden && (
          <p className="invite">
            <span>Those who run the shop have hidden your review of this piece</span>
            <Link to="/settings/notices">Why, and how to object</Link>
          </p>
        )}
      </div>
      <div>
        {listed && <Thanks />}
        {(total > 1 || stars) && <Sorting sort={sort} stars={stars} />}
        {total === 0 ? (
          <Empty drawing="stitches" text="No reviews yet">
            {!user && (
              <Link className="button quiet" to={`/products/${listing.id}/create-review`}>
                Log in to write the first
              </Link>
            )}
          </Empty>
        ) : (
          <ul className="review-list">
            {all.map(review => (
              <ReviewItem
                key={review.id}
                review={review}
                seller={listing.seller}
                maker={listing.maker_name}
                mine={review.id === own?.id}
                selling={user?.id === listing.seller_id}
              />
            ))}
          </ul>
        )}
        <Paging next={next} hash="#reviews" without={['review']} />
      </div>
    </section>
  )
}

const THANKS = {
  reviewed: { text: 'Thank you. Your review is here for everybody to read' },
  changed: { text: 'Your review is changed' },
}

/** Thanks beside the new or changed review; scrolls there. */
function Thanks() {
  const message = useFlash(THANKS)
  const element = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    // Newer browsers return a promise, which an effect must not return.
    if (message) void element.current?.scrollIntoView({ block: 'center' })
  }, [message])
  if (!message) return null
  return (
    // biome-ignore lint/a11y/noAutofocus: without scripts this scrolls the page here
    <p ref={element} className="success" role="status" tabIndex={-1} autoFocus>
      {message.text}
    </p>
  )
}

const names: Record<Sort, string> = { newest: 'Newest', highest: 'Highest', lowest: 'Lowest' }

/** Order and filter. */
const Sorting = ({ sort, stars }: Pick<LoadedReviews, 'sort' | 'stars'>) => (
  <div className="review-sorting">
    <nav aria-label="Order of the reviews">
      <ul>
        {SORTS.map(each => (
          <li key={each}>
            <ChoiceLink
              choose={{ sort: each === 'newest' ? undefined : each }}
              aria-current={each === sort ? 'true' : undefined}
            >
              {names[each]}
            </ChoiceLink>
          </li>
        ))}
      </ul>
    </nav>
    <div className="review-filter">
      <p role="status">{stars && `Only reviews with ${stars === 1 ? '1 star' : `${stars} stars`}`}</p>
      {stars && <ChoiceLink choose={{ stars: undefined }}>All reviews</ChoiceLink>}
    </div>
  </div>
)
