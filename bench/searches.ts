import { made } from './generated.ts'
import type { Sent } from './load.ts'

/** What is searched for: words of so many listings that there are in a shop of any size. */
const SEARCHED = 200
/** Searches that one connection goes through before it begins again. */
const TURNS = 500

const words = [...made(SEARCHED, 1)].map(({ name }, n) => {
  const [adjective, material, noun = ''] = name.toLowerCase().split(' ')
  return [noun, `${material} ${noun}`, `${adjective} ${noun}`, material][n % 4] ?? ''
})

const JSON_LIST = '/api/products/?limit=24&'
const searchFor = (q: string, more = '', path = JSON_LIST) => `${path}q=${encodeURIComponent(q)}${more}`

/** Words that others look for too, again and again. */
export const askedBefore = (): Sent[] => words.map(q => ({ path: searchFor(q) }))

let asked = 0
/** The same words with another highest price each time: no answer can have been kept. */
export const neverAsked = (path = JSON_LIST, headers = {}): Sent[] =>
  Array.from({ length: TURNS }, () => {
    const most = (900_000 - asked) / 100
    return { path: searchFor(words[asked++ % words.length] ?? '', `&max=${most.toFixed(2)}`, path), headers }
  })
