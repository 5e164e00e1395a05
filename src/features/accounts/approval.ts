import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'

// Approval of sellers, for a shop where not every user may sell.

const approved = { approved_at: sql<Date>`now()` }

/** Approves a user as a seller, unless they are approved already. */
export async function approve(db: Database, id: Id): Promise<void> {
  await db.updateTable('users').set(approved).where('id', '=', id).where('approved_at', 'is', null).execute()
}

/** Approves every user who has ever added a listing. */
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
