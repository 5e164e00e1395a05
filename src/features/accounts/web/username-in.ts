import { Problem } from '#problem'

/**
 * The username in an address, from the raw path: the router decodes '%2F' in a username to a slash.
 * @param at number of its part: 2 in '/shops/ana'
 * @throws Problem 404 for a damaged address
 */
export function usernameIn({ pathname }: URL, at: number): string {
  try {
    return decodeURIComponent(pathname.split('/')[at] ?? '')
  } catch (cause) {
    throw new Problem(404, 'There is no such maker', { cause })
  }
}
