import { afterAll, beforeAll, expect, test } from 'vitest'
import { crowdOf, overselling } from '../faults/01-overselling.ts'
import { deadlock } from '../faults/02-deadlock.ts'
import { doubleClick } from '../faults/03-double-click.ts'
import { cancelling } from '../faults/06-cancelling.ts'
import { oneReview } from '../faults/14-one-review.ts'
import type { Outcome } from '../faults/row.ts'
import { openShop, type Person, type TestShop } from './shop.ts'

/** The quick rows of docs/reliability.md. All of them, at their full numbers and on the started shop: npm run faults. */

let shop: TestShop
let crowd: Person[]
beforeAll(async () => {
  shop = await openShop()
  crowd = await crowdOf(shop, 200)
}, 120_000)
afterAll(() => shop.close())

/** The row holds; where it does not, its figure says why. */
const holds = async (outcome: Promise<Outcome>) =>
  expect(await outcome).toEqual({ figure: expect.not.stringContaining('FAULTS'), holds: true })

test(
  'two hundred people for the last five pieces: five orders',
  () => holds(overselling(shop, crowd, 3)),
  120_000,
)

test(
  'two hundred carts with the same ten listings in shuffled order never deadlock',
  () => holds(deadlock(shop, crowd, Number.POSITIVE_INFINITY)),
  120_000,
)

test('twenty checkouts of one cart at the same time, from one tab or two, place one order', () =>
  holds(doubleClick(shop)))

test('of twenty cancels at the same time one succeeds, and the stock is back once', () =>
  holds(cancelling(shop, { rounds: 5 })))

test('of fifty reviews of one person at the same time one is kept', () => holds(oneReview(shop)))
