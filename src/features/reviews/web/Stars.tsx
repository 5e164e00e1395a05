import { StarIcon } from '#ui/icons.tsx'

/**
 * One to five stars, with a label. A mean rounds up to a half star from a quarter on: 4.3 and 4.8 are both four and
 * a half.
 */
export const Stars = ({ stars }: { stars: number }) => (
  <span className="stars" role="img" aria-label={`${stars} out of 5 stars`}>
    {[1, 2, 3, 4, 5].map(n => (
      <StarIcon key={n} filled={n <= stars || (n - stars <= 0.75 && 'half')} />
    ))}
  </span>
)
