import { StarIcon } from '#web/icons.tsx'

/** One to five stars, drawn for the eye and said for the ear. */
export const Stars = ({ stars }: { stars: number }) => (
  <span className="stars" role="img" aria-label={`${stars} out of 5 stars`}>
    {[1, 2, 3, 4, 5].map(n => (
      <StarIcon key={n} filled={n <= stars} />
    ))}
  </span>
)
