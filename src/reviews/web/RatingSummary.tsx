import type { Review } from '../contract.ts'
import { Stars } from './Stars.tsx'

/** How a piece was rated: the average, and how many gave each number of stars. Without reviews, nothing. */
export function RatingSummary({ reviews }: { reviews: Review[] }) {
  if (reviews.length === 0) return null
  const average = reviews.reduce((sum, { stars }) => sum + stars, 0) / reviews.length
  return (
    <div className="rating">
      <p className="rating-average">
        <strong>{average.toFixed(1)}</strong>
        <Stars stars={Math.round(average)} />
        <span>{reviews.length === 1 ? '1 review' : `${reviews.length} reviews`}</span>
      </p>
      <ul className="histogram">
        {[5, 4, 3, 2, 1].map(stars => {
          const count = reviews.filter(review => review.stars === stars).length
          const label = `${stars} ${stars === 1 ? 'star' : 'stars'}`
          return (
            <li key={stars}>
              <span>{label}</span>
              <progress
                value={count}
                max={reviews.length}
                aria-label={`${label}: ${count} of ${reviews.length}`}
              />
              <span>{count}</span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
