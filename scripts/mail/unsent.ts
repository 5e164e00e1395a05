import type { Database } from '../../src/platform/database/database.ts'

/** Letters that wait or have failed, oldest first: at most `limit`. */
export const unsent = (db: Database, limit: number) =>
  db
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
    .orderBy('created_at')
    .limit(limit)
    .execute()
