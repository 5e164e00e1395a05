/** Number of SQL statements, counted by PostgreSQL: after the timing, because counting costs time. */
import type { RealShop } from '../test/support/harness.ts'
import { CONNECTIONS, load } from './load.ts'
import type { Scenario } from './scenarios.ts'

/** Reopens the shop with pg_stat_statements. */
export async function countStatements(shop: RealShop): Promise<void> {
  await shop.rows("alter system set shared_preload_libraries = 'pg_stat_statements'")
  await shop.stop()
  await shop.start()
  await shop.rows('create extension if not exists pg_stat_statements')
}

const statements = async (shop: RealShop): Promise<number> => {
  const [row] = await shop.rows(
    `select coalesce(sum(calls), 0)::int as calls from pg_stat_statements where query not like '%pg_stat_%'`,
  )
  return row.calls
}

/** Counted requests per connection. */
const COUNTED_REQUESTS = 6

/** Statements per operation, including `begin` and `commit`, after a warm-up. */
export async function statementsOf(
  shop: RealShop,
  { sequence, connections, each = 1 }: Scenario,
): Promise<number> {
  const options = { sequence, connections, amount: COUNTED_REQUESTS * (connections ?? CONNECTIONS) }
  await load(shop.address, options)
  const before = await statements(shop)
  const { answered } = await load(shop.address, options)
  return ((await statements(shop)) - before) / (answered / each)
}
