/** More words than twelve are not looked for. */
const MOST_WORDS = 12

/**
 * How many small requests a search costs as much as, by the words of the parameter `q` in a url. Up to four words cost what
 * any small request does; each four more cost as much again.
 */
export function searchCost(url: string): number {
  const [, asked] = /[?&]q=([^&]{1,1000})/.exec(url) ?? []
  if (asked === undefined) return 1
  const words = new URLSearchParams(`q=${asked}`).get('q')?.match(/[\p{L}\p{N}]+/gu) ?? []
  return Math.max(1, Math.ceil(Math.min(words.length, MOST_WORDS) / 4))
}
