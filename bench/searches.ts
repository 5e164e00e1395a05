import { generateListings } from './generated.ts'
import type { Sent } from './load.ts'

/** Number of listings whose words are searched, in a shop of any size. */
const SEARCHED = 200
/** Searches per connection, before it repeats. */
const SEARCHES = 500

const words = [...generateListings(SEARCHED, 1)].map(({ name }, n) => {
  const [adjective, material, noun = ''] = name.toLowerCase().split(' ')
  return [noun, `${material} ${noun}`, `${adjective} ${noun}`, material][n % 4] ?? ''
})

const JSON_LIST = '/api/products/?limit=24&'
const searchFor = (q: string, more = '', path = JSON_LIST) => `${path}q=${encodeURIComponent(q)}${more}`

/** Repeated searches. */
export const repeatedSearches = (): Sent[] => words.map(q => ({ path: searchFor(q) }))

let count = 0
/** The same words with another maximum price each time, so that nothing is cached. */
export const newSearches = (path = JSON_LIST, headers = {}): Sent[] =>
  Array.from({ length: SEARCHES }, () => {
    const maxPrice = (900_000 - count) / 100
    return {
      path: searchFor(words[count++ % words.length] ?? '', `&max=${maxPrice.toFixed(2)}`, path),
      headers,
    }
  })
