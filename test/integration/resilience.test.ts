import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { settingNames } from '../../src/config.ts'
import { overselling, signUpMany } from '../resilience/01-overselling.ts'
import { deadlock } from '../resilience/02-deadlock.ts'
import { doubleClick } from '../resilience/03-double-click.ts'
import { cancelling } from '../resilience/06-cancelling.ts'
import { oneReview } from '../resilience/14-one-review.ts'
import { fuzz } from '../resilience/21-fuzz.ts'
import { nastyValues } from '../resilience/22-nasty-values.ts'
import { othersData } from '../resilience/23-others-things.ts'
import { extraFields } from '../resilience/24-extra-fields.ts'
import { crossSite } from '../resilience/25-cross-site.ts'
import { badFiles } from '../resilience/32-bad-files.ts'
import { cancelAgainstSend } from '../resilience/54-cancel-against-send.ts'
import { assertAudit } from '../support/audit.ts'
import { pageAfter } from '../support/resilience/report.ts'
import type { Outcome } from '../support/scenario.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

/** The quick scenarios of docs/reliability.md. All of them, with full numbers: npm run faults. */

vi.setConfig({ testTimeout: 120_000 })

let shop: TestShop
let users: Person[]
beforeAll(async () => {
  // Limits as in production, so that their keys are computed, but out of reach.
  const highLimits = Object.fromEntries(
    settingNames.filter(name => name.startsWith('LIMIT_')).map(name => [name, '1000000']),
  )
  shop = await openShop({ settings: { LIMITS: 'on', ...highLimits } })
  users = await signUpMany(shop, 200)
}, 120_000)
afterAll(() => shop.close())

/** Expects that a scenario passes; else shows its result. */
const passed = async (outcome: Promise<Outcome>) =>
  expect(await outcome).toEqual({ figure: expect.not.stringContaining('FAULTS'), passed: true })

test('two hundred users for the last five units: five orders', () => passed(overselling(shop, users, 2)))

test('carts with the same ten listings in shuffled order never deadlock', () =>
  passed(deadlock(shop, users, Number.POSITIVE_INFINITY)))

test('twenty concurrent checkouts of one cart, from one tab or two, place one order', () =>
  passed(doubleClick(shop)))

test('of a parcel and a cancellation at once one succeeds, and the other is told', () =>
  passed(cancelAgainstSend(shop, 20)))

test('of twenty concurrent cancels one succeeds, and the stock is given back once', () =>
  passed(cancelling(shop, { rounds: 20 })))

test('of fifty concurrent reviews of one user one is stored', () => passed(oneReview(shop)))

// Ten thousand for each call: npm run faults -- 21.
test(
  'generated requests for every call: never a 5xx, always the documented shape',
  () =>
    passed(
      fuzz(shop, {
        requests: 100,
        limit: Number.POSITIVE_INFINITY,
        seed: Number(process.env.SEED) || undefined,
      }),
    ),
  600_000,
)

test('malicious values are refused, and change nothing', () => passed(nastyValues(shop)))

test('what others have is neither returned nor changed, for any id', () => passed(othersData(shop)), 60_000)

test('unknown fields are ignored, and no response reveals an e-mail or hash', () => passed(extraFields(shop)))

test('another site cannot change anything', () => passed(crossSite(shop)))

test('files with a wrong type are refused, or re-encoded', () => passed(badFiles(shop)))

test('afterwards the audit passes', () => assertAudit(shop.connection, () => shop.files))

test('a failed audit is a fault, with its findings', async () => {
  const { id } = await shop.list(users[0]!, { stock: 5 })
  await shop.rows('alter table stock disable trigger user')
  await shop.rows(`update stock set quantity = 4 where product_id = ${id}`)
  await shop.rows('alter table stock enable trigger user')
  await expect(assertAudit(shop.connection, () => shop.files)).rejects.toThrow(
    `✗ Stock is the sum of its ledger\n    listing ${id}: 4 in stock, 5 in the ledger`,
  )
})

test('a run rewrites the page, except the part written by hand', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reliability.md'), 'utf8')
  const byHand = /^## Other observations\n.*?(?=^## )/ms.exec(page)?.[0] ?? 'nothing'
  const after = pageAfter(page, '# New', 'Seen today.', '| a table |')
  expect(after).toBe(`# New\n\nSeen today.\n\n${byHand}## Row by row\n\n| a table |\n`)
  expect(pageAfter(after, '# New', 'Seen today.', '| a table |')).toBe(after)
  expect(() => pageAfter('# A page without it', '', '', '')).toThrow('needs the headings')
})
