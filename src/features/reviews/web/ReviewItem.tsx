import { Link, useLocation } from 'react-router'
import { MakerLink } from '#accounts/web/MakerLink.tsx'
import { formatDate } from '#format-date'
import { asDialog } from '#ui/DialogOrPage.tsx'
import { Icon } from '#ui/icons.tsx'
import { LinkButton } from '#ui/LinkButton.tsx'
import type { Review } from '../contract.ts'
import { partIn } from './loadReviews.ts'
import { Stars } from './Stars.tsx'

interface ReviewItemProps {
  review: Review
  /** Who sells the listing: username, and name as pages show it. */
  seller: string
  maker: string
  mine: boolean
  /** Whether the viewer is the seller. */
  selling: boolean
}

/** A review with its reply. */
export function ReviewItem({ review, seller, maker, mine, selling }: ReviewItemProps) {
  const { id, product_id, stars, verified, shop, reply, replied_at, createdAt } = review
  const name = `${review.first_name} ${review.last_name}`
  /** The dialogs stand above the same part of the reviews. */
  const part = partIn(useLocation().search)
  return (
    <li className="review">
      <Stars stars={stars} />
      <p className="review-text" dir="auto">
        {review.review}
      </p>
      <div className="review-by">
        {shop === null ? <span>{name}</span> : <MakerLink username={shop}>{name}</MakerLink>}
        <time dateTime={createdAt}>{formatDate(createdAt)}</time>
        {verified && (
          <span className="verified">
            <Icon size={16} line={2.5} d="M5 12.5l4.5 4.5L19 7.5" />
            <span>Verified purchase</span>
          </span>
        )}
        {!mine && (
          <Link
            className="quiet-link"
            to={`/report?listing=${product_id}&review=${id}`}
            rel="nofollow"
            aria-label="Report this review"
          >
            Report
          </Link>
        )}
      </div>
      {reply !== null && replied_at !== null && (
        <div className="reply">
          <div className="review-by">
            <span>
              {'Reply by '}
              <MakerLink username={seller}>{maker}</MakerLink>
            </span>
            <time dateTime={replied_at}>{formatDate(replied_at)}</time>
            {!selling && (
              <Link
                className="quiet-link"
                to={`/report?listing=${product_id}&reply=${id}`}
                rel="nofollow"
                aria-label="Report this reply"
              >
                Report
              </Link>
            )}
          </div>
          <p className="review-text" dir="auto">
            {reply}
          </p>
        </div>
      )}
      {(mine || selling) && (
        <div className="actions">
          {mine && (
            <>
              <LinkButton to={`/products/${product_id}/edit-review${part}`} state={asDialog}>
                Edit Review
              </LinkButton>
              <LinkButton to={`/products/${product_id}/delete-review${part}`} state={asDialog}>
                Delete Review
              </LinkButton>
            </>
          )}
          {selling && (
            <LinkButton
              to={`/products/${product_id}/reply${part}`}
              name="review"
              value={id}
              state={asDialog}
              aria-label={`${reply === null ? 'Reply' : 'Edit reply'} to ${name}`}
            >
              {reply === null ? 'Reply' : 'Edit reply'}
            </LinkButton>
          )}
        </div>
      )}
    </li>
  )
}
