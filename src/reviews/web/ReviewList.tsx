import { Link } from 'react-router'
import { useUser } from '#accounts/web/session.ts'
import { asDialog } from '#web/Dialog.tsx'
import { dayOf } from '#web/day.ts'
import { Empty } from '#web/Empty.tsx'
import { LinkButton } from '#web/LinkButton.tsx'
import type { Review } from '../contract.ts'
import { RatingSummary } from './RatingSummary.tsx'
import { Stars } from './Stars.tsx'
import './reviews.css'

/** What people say of a piece, and the way to say something oneself. */
export function ReviewList({ productId, reviews }: { productId: number; reviews: Review[] }) {
  const user = useUser()
  const mine = user && reviews.find(review => review.user_id === user.id)
  return (
    <section className="reviews" aria-labelledby="reviews">
      <h2 id="reviews">Reviews</h2>
      <RatingSummary reviews={reviews} />
      {user && !mine && (
        <p className="invite">
          <span>You have not left a review yet</span>
          <Link className="button quiet" to={`/products/${productId}/create-review`}>
            Create Review
          </Link>
        </p>
      )}
      {reviews.length === 0 ? (
        <Empty drawing="stitches" text="No reviews yet" />
      ) : (
        <ul>
          {reviews.map(review => (
            <li key={review.id} className="review">
              <Stars stars={review.stars} />
              <p className="review-text" dir="auto">
                {review.review}
              </p>
              <p className="review-by">
                <span>{`${review.first_name} ${review.last_name}`}</span>
                <time dateTime={review.createdAt}>{dayOf(review.createdAt)}</time>
              </p>
              {review.id === mine?.id && (
                <div className="actions">
                  <LinkButton to={`/products/${productId}/edit-review`} state={asDialog}>
                    Edit Review
                  </LinkButton>
                  <LinkButton to={`/products/${productId}/delete-review`} state={asDialog}>
                    Delete Review
                  </LinkButton>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
