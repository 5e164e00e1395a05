import { made } from './generated.ts'
import type { Sent } from './load.ts'

/** Number of listings whose words are searched, in a shop of any size. */
const SEARCHED = 200
/** Searches per connection, before it repeats. */
const TURNS = 500

const words = [...made(SEARCHED, 1)].map(({ name }, n) => {
  const [adjective, material, noun = ''] = name.toLowerCase().split(' ')
  return [noun, `${material} ${noun}`, `${adjective} ${noun}`, material][n % 4] ?? ''
})

const JSON_LIST = '/api/products/?limit=24&'
const searchFor = (q: string, more = '', path = JSON_LIST) => `${path}q=${encodeURIComponent(q)}${more}`

/** Repeated searches. */
export const askedBefore = (): Sent[] => words.map(q => ({ path: searchFor(q) }))

let asked = 0
/** The same words with another maximum price each time, so that nothing is cached. */
export const neverAsked = (path = JSON_LIST, headers = {}): Sent[] =>
  Array.from({ length: TURNS }, () => {
    const most = (900_000 - asked) / 100
    return { path: searchFor(words[asked++ % words.length] ?? '', `&max=${most.toFixed(2)}`, path), headers }
  })
