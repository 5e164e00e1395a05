import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'

// Who may sell in a shop where not everybody may.

const approved = { approved_at: sql<Date>`now()` }

/** Lets somebody sell, if they may not already. */
export async function approve(db: Database, id: Id): Promise<void> {
  await db.updateTable('users').set(approved).where('id', '=', id).where('approved_at', 'is', null).execute()
}

/** Lets everybody go on selling who has ever added a listing. */
export async function approveSellers(db: Database): Promise<void> {
  await db
    .updateTable('users as u')
    .set(approved)
    .where('u.approved_at', 'is', null)
    .where(eb =>
      eb.exists(eb.selectFrom('products as p').select('p.id').whereRef('p.seller_id', '=', 'u.id')),
    )
    .execute()
}
