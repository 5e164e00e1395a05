/**
 * Mean stars, rounded to one decimal as on the card of the piece.
 * @param counts how many gave one star, how many two, up to five; at least one did
 */
export function meanRating(counts: number[]): number {
  const reviews = counts.reduce((sum, count) => sum + count, 0)
  const stars = counts.reduce((sum, count, index) => sum + count * (index + 1), 0)
  // Rounded while it is whole: 4.35 is a little less than that in binary.
  return Math.round((10 * stars) / reviews) / 10
}
