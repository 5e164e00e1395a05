import { sql } from 'kysely'
import { expect } from 'vitest'
import { audit } from '../../src/audit.ts'
import { createClient } from '../../src/platform/database/database.ts'
import type { TestShop } from './shop.ts'

/** What the audit of a shop finds: each rule that does not hold, with its findings. */
export async function findingsIn(shop: TestShop): Promise<string[]> {
  const client = createClient(shop.connection)
  await client.connect()
  const lines: string[] = []
  await audit(client, shop.files, line => lines.push(line))
  await client.end()
  return lines.filter(line => !line.startsWith('✓')).map(line => line.trim())
}

const TRIGGERED = [
  'stock',
  'stock_ledger',
  'variants',
  'reviews',
  'orders',
  'order_events',
  'order_event_units',
]

/** A change that the database refuses otherwise: what it is, its SQL and that of the way back, and what is found. */
export type Harm = [what: string, harm: () => string, repair: () => string, expected: () => string[]]

/** Makes such a change, runs the audit, and reverts it. */
export async function findingsAfter(shop: TestShop, harm: string, repair: string): Promise<string[]> {
  const quietly = (statement: string) =>
    sql
      .raw(
        TRIGGERED.map(table => `alter table ${table} disable trigger user`)
          .concat(statement)
          .concat(TRIGGERED.map(table => `alter table ${table} enable trigger user`))
          .join(';'),
      )
      .execute(shop.db)
  await quietly(harm)
  const found = await findingsIn(shop)
  await quietly(repair)
  expect(await findingsIn(shop)).toEqual([])
  return found
}
