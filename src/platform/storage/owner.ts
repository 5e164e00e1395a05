import { sql } from 'kysely'
import { throttle } from '../async/throttle.ts'
import type { Database } from '../database/database.ts'
import type { Files } from './files.ts'

/** Interval between two log lines about another owner, milliseconds. */
const LOG_INTERVAL_MS = 60 * 60 * 1000

/** SQLSTATEs if the role may not read the identifier of the server. */
const FORBIDDEN = ['42501', '42883', '0A000']

/**
 * Returns a name that distinguishes a database from its copies: the system identifier of the server, if the role may read it, and
 * the OIDs of the database and of the table `installation`. The name survives restarts and the promotion of a standby.
 */
export async function databaseIdentity(db: Database): Promise<string> {
  const query = sql<{ number: string }>`select system_identifier::text as number from pg_control_system()`
  const server = await query.execute(db).catch(error => {
    if (FORBIDDEN.includes(error.code)) return undefined
    throw error
  })
  const { rows } = await sql<{ numbers: string }>`
    select oid || '/' || 'installation'::regclass::oid as numbers from pg_database where datname = current_database()
  `.execute(db)
  return `${server?.rows[0]?.number ?? 'any'}/${rows[0]?.numbers}`
}

/**
 * Wraps files of an object store so that only the database that owns them removes any. A copy of a database has the same shop
 * id, and so the same files; those that only the original knows would look orphaned to it. Files without an owner get this
 * database as their owner. Files on a local disk are returned as they are.
 * @param database see `databaseIdentity`
 * @param log receives a line, once an hour at most, if another database is the owner
 */
export async function deleteOnlyAsOwner(
  database: string,
  files: Files,
  log: (line: string) => void,
): Promise<Files> {
  const { owner } = files
  if (!owner) return files
  const logOwner = throttle(LOG_INTERVAL_MS, (found: string) =>
    log(
      `The files belong to another database, ${found}, as ${owner.url} says; this one is ${database}. None is removed. Give a copy of a shop a STORAGE_URL of its own. Where the other database is gone, remove that object: the next to ask owns them`,
    ),
  )
  // Read each time, since the owner may change.
  const isOwner = async () => {
    const found = (await owner.read())?.trim()
    if (found === undefined) await owner.write(database)
    if (found === undefined || found === database) return true
    logOwner(found)
    return false
  }
  // If the store does not respond, the owner is read again before files are removed.
  await isOwner().catch(() => {})
  return {
    ...files,
    remove: async folder => {
      if (await isOwner()) await files.remove(folder)
    },
    clear: async () => {
      if (await isOwner()) await files.clear()
    },
    async *list(olderThan) {
      if (await isOwner()) yield* files.list(olderThan)
    },
  }
}
