import { meanRating } from '#products/mean-rating.ts'
import { ChoiceLink } from './ChoiceLink.tsx'
import { Stars } from './Stars.tsx'

interface RatingSummaryProps {
  /** Number of reviews with 1 to 5 stars. */
  counts: number[]
  /** The star filter. */
  chosen: number | undefined
}

/** Mean and histogram of a listing's reviews; its bars are links to those reviews. Nothing without reviews. */
export function RatingSummary({ counts, chosen }: RatingSummaryProps) {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const stars = counts.reduce((sum, count, index) => sum + count * (index + 1), 0)
  const average = meanRating(stars, total)
  if (average === null) return null
  return (
    <div className="rating">
      <p className="rating-average">
        <strong>{average.toFixed(1)}</strong>
        <Stars stars={average} />
        <span>{total === 1 ? '1 review' : `${total} reviews`}</span>
      </p>
      <ul className="histogram">
        {[5, 4, 3, 2, 1].map(stars => (
          <li key={stars}>
            <Row stars={stars} count={counts[stars - 1] ?? 0} total={total} chosen={chosen === stars} />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface RowProps {
  stars: number
  count: number
  total: number
  chosen: boolean
}

/** A bar, which is a link unless empty. */
function Row({ stars, count, total, chosen }: RowProps) {
  const label = `${stars} ${stars === 1 ? 'star' : 'stars'}`
  const row = (
    <>
      <span>{label}</span>
      <progress value={count} max={total} aria-label={`${label}: ${count} of ${total}`} />
      <span>{count}</span>
    </>
  )
  if (count === 0) return <span className="histogram-row">{row}</span>
  return (
    <ChoiceLink
      className="histogram-row"
      choose={{ stars: chosen ? undefined : String(stars) }}
      aria-current={chosen ? 'true' : undefined}
    >
      {row}
    </ChoiceLink>
  )
}
