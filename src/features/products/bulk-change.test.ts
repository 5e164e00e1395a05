import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromCents } from '#money'
import { outcomeOf, pricedAt } from './bulk-change.ts'
import type { Values } from './bulk-contract.ts'

const MOST = 99_999_999
const cents = fc.integer({ min: 1, max: MOST })
const hundredths = fc.integer({ min: -9_900, max: 100_000 }).filter(n => n !== 0)
const piece = (price: number): Values => ({
  price: fromCents(price),
  price_to: fromCents(price),
  stock: 1,
  combinations: 0,
  section: null,
  tags: [],
  retired: false,
})
/** The new price in cents by percents, given in hundredths. */
const priced = (price: number, percent: number) =>
  pricedAt({ change: 'price_percent', amount: percent / 100 }, price)

test.each([
  [1_999, 10, 2_199],
  [1_995, 10, 2_195],
  [5, 10, 6],
  [5, -10, 5],
  [2_450, 12.5, 2_756],
  [100, 0.5, 101],
  [100, 0.49, 100],
  [1, -99, 0],
])('%i cents and %d percent are %i cents', (price, percent, after) => {
  expect(pricedAt({ change: 'price_percent', amount: percent }, price)).toBe(after)
})

test('percents are rounded half up, exactly', () => {
  fc.assert(
    fc.property(cents, hundredths, (price, percent) => {
      const exact = BigInt(price) * BigInt(10_000 + percent)
      const after = BigInt(priced(price, percent))
      // Half a cent below or less than half a cent above.
      const off = exact - after * 10_000n
      expect(off >= -5_000n && off < 5_000n).toBe(true)
    }),
  )
})

test('a higher price stays the higher one, and a raise never lowers', () => {
  fc.assert(
    fc.property(cents, cents, hundredths, (one, other, percent) => {
      const [low, high] = one < other ? [one, other] : [other, one]
      expect(priced(low, percent)).toBeLessThanOrEqual(priced(high, percent))
      expect(Math.sign(priced(low, percent) - low)).not.toBe(-Math.sign(percent))
    }),
  )
})

test('an amount up and the same amount down is the price of before', () => {
  fc.assert(
    fc.property(cents, cents, (price, amount) => {
      const by = (change: number, from: number) => pricedAt({ change: 'price_amount', amount: change }, from)
      expect(by(-fromCents(amount), by(fromCents(amount), price))).toBe(price)
    }),
  )
})

test('a new price is one that a listing can have, or it is refused', () => {
  fc.assert(
    fc.property(cents, hundredths, (price, percent) => {
      const { after, problem } = outcomeOf(
        { change: 'price_percent', amount: percent / 100 },
        piece(price),
        null,
      )
      const exact = priced(price, percent)
      expect(problem === undefined).toBe(exact >= 1 && exact <= MOST)
      if (after) expect(after.price).toBe(fromCents(exact))
    }),
  )
})
