import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Files } from './files.ts'

/** How often a copy says that it is one, milliseconds. */
const AGAIN_MS = 60 * 60 * 1000

/** What PostgreSQL answers where a provider does not let the role ask for the number of the server. */
const FORBIDDEN = ['42501', '42883', '0A000']

/**
 * Tells a database from those that a dump of it was loaded into: the number of the server, where the role may know it, the
 * database's number there, and its table's. All of them outlive restarts and a standby that is promoted.
 */
export async function databaseName(db: Database): Promise<string> {
  const server = await sql<{
    number: string
  }>`select system_identifier::text as number from pg_control_system()`
    .execute(db)
    .then(({ rows }) => rows[0]?.number ?? 'any')
    .catch(error => {
      if (FORBIDDEN.includes(error.code)) return 'any'
      throw error
    })
  const { rows } = await sql<{ numbers: string }>`
    select oid || '/' || 'installation'::regclass::oid as numbers from pg_database where datname = current_database()
  `.execute(db)
  return `${server}/${rows[0]?.numbers}`
}

/**
 * Files in a store of which only one database removes any: its name is kept beside them. A dump that was loaded elsewhere
 * shares the shop's id, and so its folder; to it, what only the other one knows looks left over. Where nobody owns the
 * files yet, they are this one's from now on. Files without an owner, on a disk, come back as they are.
 * @param database see `databaseName`
 * @param log is told, once an hour at most, that they belong to another one
 */
export async function ownedBy(database: string, files: Files, log: (line: string) => void): Promise<Files> {
  const { owner } = files
  if (!owner) return files
  let said = Number.NEGATIVE_INFINITY
  // Asked each time: it may have been given to another one.
  const isOwner = async () => {
    const found = (await owner.read())?.trim()
    if (found === undefined) await owner.write(database)
    if (found === undefined || found === database) return true
    if (performance.now() > said + AGAIN_MS) {
      said = performance.now()
      log(
        `The pictures belong to another database, ${found}, as ${owner.address} says; this one is ${database}. None is removed. Give a copy of a shop a STORAGE_URL of its own. Where the other database is gone, remove that object: the next to ask owns them`,
      )
    }
    return false
  }
  // Out of reach: it is asked again before anything is removed.
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
