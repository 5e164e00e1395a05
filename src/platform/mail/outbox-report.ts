import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

/** Number of letters that wait, and of those that have failed. */
export async function outboxCounts(db: Database): Promise<{ waiting: number; failed: number }> {
  return db
    .selectNoFrom(eb => [
      eb
        .selectFrom('outbox')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('due_at', 'is not', null)
        .$asScalar()
        .$notNull()
        .as('waiting'),
      eb
        .selectFrom('outbox')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('failed_at', 'is not', null)
        .$asScalar()
        .$notNull()
        .as('failed'),
    ])
    .executeTakeFirstOrThrow()
}

/** The latest letter of a kind to a person: whether it waits, was sent or has failed, and what was said at the last try. */
export async function latestOf(
  db: Database,
  { kind, recipient }: { kind: string; recipient: number },
): Promise<{ state: 'waiting' | 'sent' | 'failed'; error: string } | undefined> {
  const row = await db
    .selectFrom('outbox')
    .select(['due_at', 'failed_at', 'last_error'])
    .where('kind', '=', kind)
    .where('recipient', '=', recipient)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const state = row.failed_at ? 'failed' : row.due_at ? 'waiting' : 'sent'
  return { state, error: row.last_error ?? '' }
}

/**
 * Makes letters due again, with all their tries: those that have failed, and those that wait for long after an error. A letter
 * that is due within three minutes may be on its way. @returns their number
 */
export async function retryAll(db: Database): Promise<number> {
  const retried = await db
    .updateTable('outbox')
    .set({ due_at: sql`now()`, failed_at: null, tries: 0 })
    .where(eb =>
      eb.or([eb('failed_at', 'is not', null), eb('due_at', '>', sql<Date>`now() + interval '3 minutes'`)]),
    )
    .executeTakeFirst()
  return Number(retried.numUpdatedRows)
}
