/**
 * Mean stars, rounded to one decimal as on the card of the piece; null without reviews.
 * @param stars the sum of all
 */
export const meanRating = (stars: number, reviews: number): number | null =>
  // Rounded while it is whole: 4.35 is a little less than that in binary.
  reviews > 0 ? Math.round((10 * stars) / reviews) / 10 : null
