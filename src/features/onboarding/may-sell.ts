import { sql } from 'kysely'
import { loggedOut } from '#accounts/find-user.ts'
import { SUSPENDED } from '#accounts/suspension.ts'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import type { WhoMaySell } from '#site/contract.ts'
import { DETAILS_FIRST, NOT_YET } from './contract.ts'

/** Facts that decide whether a user may add listings. */
export interface Permission {
  who_may_sell: WhoMaySell
  may_sell: boolean
  suspended: boolean
  details_missing: boolean
}

type Row = { who_may_sell: string; approved: boolean; suspended: boolean; details_missing: boolean }

/** SQL: these facts for one user. */
const permission = (id: Id) => sql<Row>`
  select s.who_may_sell, u.approved_at is not null as approved, u.suspended_at is not null as suspended,
    s.seller_details_required and not exists (select from seller_details as d where d.user_id = u.id) as details_missing
  from users as u, site_settings as s where u.id = ${id}`

const maySell = ({ who_may_sell, approved }: Row) => who_may_sell === 'open' || approved

/** Whether a user may add listings. `may_sell` ignores a suspension. */
export async function permissionOf(db: Database, id: Id): Promise<Permission> {
  const { rows } = await permission(id).execute(db)
  const [row] = rows
  if (!row) throw loggedOut()
  const { suspended, details_missing } = row
  return { who_may_sell: row.who_may_sell as WhoMaySell, may_sell: maySell(row), suspended, details_missing }
}

/**
 * Requires that a user may add a listing. Call it in the transaction that adds it: a suspension, and a change of the
 * settings, wait for its end.
 * @throws Problem 403 if they are suspended or not approved, or if required seller details are missing
 */
export async function requireMaySell(db: Database, id: Id): Promise<void> {
  // First the settings, then the user: the lock order of a change of the settings.
  await sql`select from site_settings for share`.execute(db)
  const { rows } = await sql<Row>`${permission(id)} for share of u`.execute(db)
  const [row] = rows
  if (!row) return
  if (row.suspended) throw new Problem(403, SUSPENDED)
  if (!maySell(row)) throw new Problem(403, NOT_YET)
  if (row.details_missing) throw new Problem(403, DETAILS_FIRST)
}
