import { setTimeout as sleep } from 'node:timers/promises'
import { type RealShop, withShop } from '../support/harness.ts'
import { times } from '../support/person.ts'
import { Faults, milliseconds, percentile, type Scenario } from '../support/scenario.ts'

const VOCABULARY = 500_000
const WORDS = 9
const ATTACK_MS = 8_000
const SHOPPER_MS = 500

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const anyWord = () =>
  Array.from(
    { length: 5 + Math.floor(5 * Math.random()) },
    () => LETTERS[Math.floor(26 * Math.random())],
  ).join('')

/** Adds words of several sellers to the vocabulary, all of them possible corrections. */
async function inflate(shop: RealShop): Promise<number> {
  const [index] = await shop.rows("select indexdef from pg_indexes where indexname = 'vocabulary_alike'")
  // Recreating an index is faster than updating it.
  await shop.rows('drop index vocabulary_alike')
  await shop.rows(`
    insert into vocabulary (word, stem) select distinct word, word from (
      select (
        select string_agg(chr(97 + floor(26 * random())::int), '') from generate_series(1, 5 + n % 5) where n = n
      ) as word from generate_series(1, ${VOCABULARY}) as n
    ) as made on conflict do nothing`)
  await shop.rows(index.indexdef)
  await shop.rows('analyze vocabulary')
  const [{ count }] = await shop.rows('select count(*)::int from vocabulary where mends')
  return count
}

/** Another user's searches, each new, while so many connections misspell nine words each. */
async function besides(shop: RealShop, connections: number, faults: Faults) {
  let going = true
  let mistyped = 0
  const attack = times(connections, async () => {
    const attacker = shop.visitor()
    while (going) {
      const q = Array.from({ length: WORDS }, anyWord).join('+')
      const { status } = await attacker.get(`/api/products/?q=${q}`)
      faults.expect(status === 200 || status === 503, `a mistyped search: ${status}`)
      mistyped++
    }
  })
  const shopper = shop.visitor()
  const took: number[] = []
  const until = performance.now() + ATTACK_MS
  while (performance.now() < until) {
    const began = performance.now()
    const max = (900_000 - took.length - 1_000 * connections) / 100
    const { status, body } = await shopper.get(`/api/products/?q=speckled+mug&max=${max.toFixed(2)}`)
    took.push(performance.now() - began)
    faults.expect(status === 200 && body.products?.length === 1, `the shopper: ${status}`)
    await sleep(20)
  }
  going = false
  await attack
  const p99 = percentile(99, took)
  faults.expect(p99 < SHOPPER_MS, `beside ${connections} the shopper waited`)
  return `beside ${connections} connections (${Math.round((1_000 * mistyped) / ATTACK_MS)} misspelled searches/s) ${took.length} searches of another user: p50 ${milliseconds(percentile(50, took))}, p99 ${milliseconds(p99)}`
}

export const scenario: Scenario = {
  risk: 'misspelled searches',
  timed: true,
  slow: true,
  promise:
    'nine misspelled words each over 8, then 30 connections, with 500,000 similar words: p99 of another user’s new searches under 500 ms, none refused',
  run: () =>
    withShop({}, async shop => {
      const faults = new Faults()
      const maker = await shop.signUp('maker')
      await shop.list(maker, { name: 'Speckled mug' })
      const words = await inflate(shop)
      faults.expect(words > 0.9 * VOCABULARY, `only ${words} words`)
      const results = [await besides(shop, 8, faults), await besides(shop, 30, faults)]
      return faults.outcome(`${words} words; ${results.join('; ')}`)
    }),
}
