import { sql } from 'kysely'
import type { Database } from '../../src/platform/database/database.ts'

const isUnsent = sql<boolean>`(due_at is not null or failed_at is not null)`

/** Letters that wait or have failed, oldest first, and their number: at most `limit`, those with an error before others. */
export async function unsent(db: Database, limit: number) {
  const letters = await db
    .selectFrom('outbox')
    .select(['kind', 'subject', 'recipient', 'created_at', 'due_at', 'tries', 'last_error'])
    .where(isUnsent)
    .orderBy(sql`failed_at is null`)
    .orderBy(sql`last_error is null`)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  const { all } = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<string>().as('all'))
    .where(isUnsent)
    .executeTakeFirstOrThrow()
  letters.sort((a, b) => a.created_at.getTime() - b.created_at.getTime())
  return { letters, all: Number(all) }
}
