import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import { fromCents } from '#money'
import type { Database } from '#platform/database/database.ts'
import { outboxCounts } from '#platform/mail/outbox-admin.ts'
import { isLate } from '#sales/filters.ts'
import type { Overview } from './operate-contract.ts'

type Counts = Record<'orders' | 'cents' | 'late' | 'reports' | 'objections' | 'applications', number>

/** The shop at a glance. @param dataDir whose disk is measured */
export async function overview(db: Database, dataDir: string): Promise<Overview> {
  const { rows } = await sql<Counts>`
    select
      (select count(*)::int from orders as o where ${isFresh} and o.status <> 'Cancelled') as orders,
      (select coalesce(sum(o.total_cents - o.cancelled_cents), 0)::bigint from orders as o where ${isFresh}) as cents,
      (select count(*)::int from orders as o where ${isLate} and ${hasMaker}) as late,
      (select count(*)::int from reports where answered_by is null) as reports,
      (select count(*)::int from objections where answered_by is null) as objections,
      (select count(*)::int from applications where answered_by is null) as applications
  `.execute(db)
  const [row] = rows
  if (!row) throw new Error('the count query returned no row')
  const { cents, ...counts } = row
  const letters = await outboxCounts(db)
  return {
    ...counts,
    sales: fromCents(Number(cents)),
    letters_waiting: letters.waiting,
    letters_failed: letters.failed,
    disk: await diskOf(dataDir),
  }
}

/** SQL: the maker of `o`, a row of orders, still has an account. */
const hasMaker = sql`exists (select from users where id = o.seller_id and erased_at is null)`
const isFresh = sql`o.created_at > now() - interval '24 hours'`

async function diskOf(folder: string): Promise<Overview['disk']> {
  const disk = await statfs(folder).catch(() => undefined)
  return disk ? { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize } : null
}
