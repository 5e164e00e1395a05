import { MAX_WORDS } from './parse-query.ts'

/**
 * Cost in the admission queue of a search, by the number of words in the parameter `q`: 1 for up to four words, plus 1 for each
 * four more.
 */
export function searchCost(url: string): number {
  const [, parameter] = /[?&]q=([^&]{1,1000})/.exec(url) ?? []
  if (parameter === undefined) return 1
  const words = new URLSearchParams(`q=${parameter}`).get('q')?.match(/[\p{L}\p{N}]+/gu) ?? []
  return Math.max(1, Math.ceil(Math.min(words.length, MAX_WORDS) / 4))
}
