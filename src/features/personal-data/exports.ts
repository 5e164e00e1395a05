import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { loggedOut } from '#accounts/find-user.ts'
import { hashToken, newToken } from '#accounts/tokens.ts'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { consume, nextUse } from '#platform/http/rate-limit.ts'
import { requestJobRun } from '#platform/jobs/job-events.ts'
import type { Files } from '#platform/storage/files.ts'
import { Problem } from '#problem'
import type { DataExport } from './contract.ts'

type ExportDeps = Pick<FastifyInstance, 'db' | 'config' | 'privateFiles'>

/** Name of the job that makes archives. */
export const EXPORTS = 'data-exports'

const LIMIT = 'daily_exports'
export const NO_ARCHIVE = 'There is no such archive. Archives are deleted after 24 hours'
/** Folders of this age without a row are left over from a process that died, ms. None is written to for as long. */
const LEFT_OVER_MS = 60 * 60 * 1000

const NOW = sql<Date>`now()`

/**
 * Asks for an archive of the own data; a job makes it. The archive before is deleted. While one is being made, a second
 * request is the same one.
 * @throws Problem 401 if the account is gone, 429 if the limit of the day is reached
 */
export async function requestExport({ db, config, privateFiles }: ExportDeps, userId: Id): Promise<void> {
  const before = await transaction(db, async db => {
    // Requests of one person run one after the other.
    const owner = await db
      .selectFrom('users')
      .select('id')
      .where('id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!owner) throw loggedOut()
    const last = await rowOf(db, userId)
    if (last?.due_at) return undefined
    const next = await nextUse({ db, config }, LIMIT, userId)
    if (next) throw new Problem(429, askedToday(next.at), { retryAfter: next.wait })
    await consume({ db, config }, LIMIT, userId)
    await db.deleteFrom('data_exports').where('user_id', '=', userId).execute()
    await db.insertInto('data_exports').values({ user_id: userId }).execute()
    return last
  })
  requestJobRun(EXPORTS)
  // If the storage is away, the cleanup job removes it.
  if (before?.folder) await privateFiles.remove(before.folder).catch(() => {})
}

const askedToday = (next: Date) =>
  `You have asked for your data today. You can ask again after ${next.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const rowOf = (db: Database, userId: Id) =>
  db
    .selectFrom('data_exports')
    .select(['id', 'requested_at', 'due_at', 'failed_at', 'expires_at', 'folder', 'bytes'])
    .where('user_id', '=', userId)
    .where(eb => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', NOW)]))
    .executeTakeFirst()

/** State of the user's data export, and when they can request another one. */
export async function statusOf({ db, config }: ExportDeps, userId: Id): Promise<DataExport> {
  const [row, next] = await Promise.all([rowOf(db, userId), nextUse({ db, config }, LIMIT, userId)])
  return {
    state: !row ? 'none' : row.due_at ? 'making' : row.failed_at ? 'failed' : 'ready',
    bytes: row?.bytes ?? null,
    expires_at: row?.folder ? (row.expires_at?.toISOString() ?? null) : null,
    again_at: next?.at.toISOString() ?? null,
    by_letter: config.mail.smtpUrl !== undefined,
  }
}

/**
 * The archive of a user that can be downloaded.
 * @param secret of the link in a letter: then only the archive that the letter is about
 * @throws Problem 404 if there is none, it has expired, or the secret is of another one
 */
export async function readyExport(
  db: Database,
  userId: Id,
  secret?: string,
): Promise<{ folder: string; bytes: number }> {
  const found = await db
    .selectFrom('data_exports')
    .select(['folder', 'bytes'])
    .where('user_id', '=', userId)
    .where('made_at', 'is not', null)
    .where('expires_at', '>', NOW)
    .$if(secret !== undefined, query =>
      query.where(sql<boolean>`${hashToken(secret ?? '')}::bytea = any(link_hashes)`),
    )
    .executeTakeFirst()
  if (!found || found.folder === null || found.bytes === null) throw new Problem(404, NO_ARCHIVE)
  return { folder: found.folder, bytes: found.bytes }
}

/**
 * A new secret of 256 random bits for the link to an archive. Only its hash is stored; those of letters before stay valid.
 * @returns undefined if the archive is gone, or is somebody else's
 */
export async function addLink(db: Database, id: Id, userId: Id): Promise<string | undefined> {
  const secret = newToken()
  const added = await db
    .updateTable('data_exports')
    .set({ link_hashes: sql`array_append(link_hashes, ${hashToken(secret)}::bytea)` })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('made_at', 'is not', null)
    .where('expires_at', '>', NOW)
    .returning('id')
    .executeTakeFirst()
  return added && secret
}

/** Deletes the request of an account that is being deleted. @returns the folder of its archive */
export async function deleteExport(db: Database, userId: Id): Promise<string | undefined> {
  const gone = await db.deleteFrom('data_exports').where('user_id', '=', userId).returning('folder').execute()
  return gone[0]?.folder ?? undefined
}

/** Deletes expired archives, the file before the row, so that a failure is retried; and what a dead process has left. */
export async function sweepExports(db: Database, files: Files): Promise<void> {
  const expired = await db
    .selectFrom('data_exports')
    .select(['id', 'folder'])
    .where('expires_at', '<=', NOW)
    .execute()
  for (const { id, folder } of expired) {
    if (folder) await files.remove(folder)
    await db.deleteFrom('data_exports').where('id', '=', id).execute()
  }
  for await (const folder of files.list(new Date(Date.now() - LEFT_OVER_MS))) {
    const row = await db
      .selectFrom('data_exports')
      .select('id')
      .where('folder', '=', folder)
      .executeTakeFirst()
    if (!row) await files.remove(folder)
  }
}
