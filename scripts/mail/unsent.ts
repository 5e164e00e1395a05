import type { Database } from '../../src/platform/database/database.ts'

/** Letters that wait or have failed: the newest `limit` of them, oldest first, and their numbers. */
export async function unsent(db: Database, limit: number) {
  const letters = await db
    .selectFrom('outbox')
    .select([
      'id',
      'kind',
      'subject',
      'recipient',
      'created_at',
      'due_at',
      'tries',
      'failed_at',
      'last_error',
    ])
    .where(eb => eb.or([eb('due_at', 'is not', null), eb('failed_at', 'is not', null)]))
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  const { waiting, failed } = await db
    .selectFrom('outbox')
    .select(({ fn }) => [
      fn.count<string>('due_at').as('waiting'),
      fn.count<string>('failed_at').as('failed'),
    ])
    .executeTakeFirstOrThrow()
  return { letters: letters.reverse(), waiting: Number(waiting), failed: Number(failed) }
}
