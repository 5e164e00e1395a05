/** Further words are ignored. */
const MOST_WORDS = 12

/**
 * Cost in the admission queue of a search, by the number of words in the parameter `q`: 1 for up to four words, plus 1 for each
 * four more.
 */
export function searchCost(url: string): number {
  const [, asked] = /[?&]q=([^&]{1,1000})/.exec(url) ?? []
  if (asked === undefined) return 1
  const words = new URLSearchParams(`q=${asked}`).get('q')?.match(/[\p{L}\p{N}]+/gu) ?? []
  return Math.max(1, Math.ceil(Math.min(words.length, MOST_WORDS) / 4))
}
