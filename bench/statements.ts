/** How many statements the database is asked, counted by PostgreSQL itself: after the timing, because counting costs. */
import type { RealShop } from '../test/support/harness.ts'
import { CONNECTIONS, load } from './load.ts'
import type { Scenario } from './scenarios.ts'

/** Opens the shop again on a database that counts. */
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

/** Requests of each connection that are counted. */
const COUNTED = 6

/** Statements for each of what a scenario counts, `begin` and `commit` among them, once everything was asked before. */
export async function statementsOf(
  shop: RealShop,
  { turns, connections, each = 1 }: Scenario,
): Promise<number> {
  const asked = { turns, connections, amount: COUNTED * (connections ?? CONNECTIONS) }
  await load(shop.address, asked)
  const before = await statements(shop)
  const { answered } = await load(shop.address, asked)
  return ((await statements(shop)) - before) / (answered / each)
}
