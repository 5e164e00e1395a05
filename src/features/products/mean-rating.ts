/** Mean stars, rounded to one decimal; null without reviews. @param stars the sum of all */
export const meanRating = (stars: number, reviews: number): number | null =>
  // Rounds an integer ratio: 4.35 is slightly less in binary.
  reviews > 0 ? Math.round((10 * stars) / reviews) / 10 : null
