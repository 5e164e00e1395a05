import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EarlyShop, openEarlyShop, runAll } from '../support/browser/early.ts'
import { actionCases } from '../support/browser/early-actions.ts'
import { fieldCases } from '../support/browser/early-fields.ts'

/*
 * Pages are used before hydration, and without any. Each case does what users do, and then asserts what must hold, with
 * late scripts and without. The cases are in test/support/browser/early-fields.ts and early-actions.ts.
 */

let early: EarlyShop
beforeAll(async () => {
  early = await openEarlyShop()
})
afterAll(() => early.shop.close())

const cases = () => ({ ...fieldCases(early), ...actionCases(early) })

/** Timeout on a machine with other load, ms. */
const LONG = 400_000

test(
  'what people do while every script is late is neither lost nor undone',
  async () => expect(await runAll(early, cases(), 'late')).toEqual({}),
  LONG,
)

test(
  'where no script ever comes, everything can be done',
  async () => expect(await runAll(early, cases(), 'never')).toEqual({}),
  LONG,
)
