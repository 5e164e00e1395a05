import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { WITHOUT_FOLDERS } from '../../src/features/images/backup-queries.ts'
import { type ConnectionOptions, withAdvisoryLock } from '../../src/platform/database/database.ts'
import {
  MIGRATION_LOCK,
  MIGRATIONS_TABLE,
  migrate,
  recordMigration,
  requireUtf8,
} from '../../src/platform/database/migrations.ts'
import type { Files, NamedFile } from '../../src/platform/storage/files.ts'
import { handleInterruption } from '../cli/interruption.ts'
import { messageOf } from '../cli/message-of.ts'
import {
  CorruptBackupError,
  type Entry,
  NOT_A_BACKUP,
  readArchive,
  readFolders,
  readSmallEntry,
} from './archive.ts'
import { EXCLUDED_TABLES } from './excluded.ts'
import { FILES, type Manifest, readManifest } from './manifest.ts'

const migrations = join(import.meta.dirname, '../../migrations')

const INTERRUPTED = 'The restore was interrupted'

/** What was restored: number of rows, and of folders with files. */
export interface Restored {
  rows: number
  folders: number
}

/**
 * Checks a backup: reads it completely, and changes nothing.
 * @throws CorruptBackupError with a sentence if it is damaged, or cannot be restored by this program
 */
export async function checkBackup(path: string): Promise<Manifest> {
  let manifest: Manifest | undefined
  for await (const entry of readArchive(path)) {
    manifest ??= await readManifest(entry)
  }
  if (!manifest) throw new CorruptBackupError(NOT_A_BACKUP)
  await sqlOf(manifest)
  return manifest
}

/** The SQL of the migrations of the backup. @throws CorruptBackupError if this program has other ones */
async function sqlOf(manifest: Manifest): Promise<string[]> {
  const names = new Set(await readdir(migrations))
  const later = manifest.migrations.filter(({ name }) => !names.has(name)).map(({ name }) => name)
  if (later.length > 0)
    throw new CorruptBackupError(
      `It is of a shop newer than this program, which does not know ${later.join(', ')}`,
    )
  const texts: string[] = []
  for (const { name, hash } of manifest.migrations) {
    const text = await readFile(join(migrations, name), 'utf8')
    if (createHash('sha256').update(text).digest('hex') !== hash)
      throw new CorruptBackupError(`It is of a shop that was made by another ${name} than this program has`)
    texts.push(text)
  }
  return texts
}

/**
 * Restores a checked backup into an empty database and an empty storage: the migrations of the backup, all rows and sequences in
 * one transaction, and the files. The checksum is compared again before the commit. Then the newer migrations are applied. After
 * an error or an interruption, database and storage are as empty as before, unless the storage fails.
 * @param filesOf finds the storage for the files of the shop with that id
 * @throws CorruptBackupError if the backup is damaged, Error if database or storage are not empty
 */
export async function restoreShop(
  path: string,
  manifest: Manifest,
  connection: ConnectionOptions,
  filesOf: (shop: string) => Files,
): Promise<Restored> {
  const texts = await sqlOf(manifest)
  const files = filesOf(manifest.shop)
  // The lock of the migrations: a shop that is started during the restore waits for it.
  const restored = await withAdvisoryLock(connection, MIGRATION_LOCK, async client => {
    await requireUtf8(client)
    await requireEmpty(client, files)
    using interruption = handleInterruption(INTERRUPTED)
    try {
      await client.query('begin')
      await build(client, manifest, texts)
      const counts = await fill(client, path, manifest, files, interruption.signal)
      interruption.signal.throwIfAborted()
      await client.query('commit')
      return counts
    } catch (error) {
      await client.query('rollback').catch(() => {})
      await clear(files, manifest.shop, error as Error)
      throw interruption.signal.aborted ? new Error(`${INTERRUPTED}. The place is as empty as before`) : error
    }
  })
  await migrate(connection, migrations)
  return restored
}

/** Removes the files of a restore that failed. @throws Error with both causes if they cannot be removed */
async function clear(files: Files, shop: string, cause: Error): Promise<void> {
  try {
    await files.clear()
  } catch (error) {
    const left = `Photos of the shop ${shop} are left in the storage, because: ${messageOf(error)}`
    throw new Error(`${messageOf(cause)}\n${left}\nRemove them before the next try`, { cause })
  }
}

async function requireEmpty(client: pg.Client, files: Files): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'S', 'f', 'p') limit 1`,
  )
  if (rows[0])
    throw new Error(`The database is not empty: it holds ${rows[0].name}. Restore into an empty one`)
  for await (const _ of files.list(new Date(8.64e15)))
    throw new Error('There are files of this very shop already. Restore into an empty place')
  if ((await files.owner?.read()) !== undefined)
    throw new Error(
      `Another database owns the files of this very shop, as ${files.owner?.url} says. Restore into an empty place`,
    )
}

async function build(client: pg.Client, manifest: Manifest, texts: string[]): Promise<void> {
  await client.query(MIGRATIONS_TABLE)
  for (const [n, migration] of manifest.migrations.entries()) {
    await client.query(texts[n] ?? '')
    await recordMigration(client, migration)
  }
}

/** Replaces all rows by those of the backup, without triggers: what they would write is in the backup. */
async function fill(
  client: pg.Client,
  path: string,
  manifest: Manifest,
  files: Files,
  interrupted: AbortSignal,
): Promise<Restored> {
  const { rows: all } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'`,
  )
  const tables = all.map(({ name }) => client.escapeIdentifier(name))
  const triggers = (state: 'enable' | 'disable') =>
    client.query(tables.map(name => `alter table ${name} ${state} trigger user`).join(';'))
  await triggers('disable')
  await client.query(`truncate ${tables.join(', ')}`)
  const counts = { rows: 0, folders: 0 }
  let missing: string[] = []
  for await (const { kind, name, entries } of readFolders(path, interrupted)) {
    if (kind === 'tables') {
      // Also if an older program wrote them into the backup.
      if (!EXCLUDED_TABLES.includes(name)) counts.rows += await copyIn(client, manifest, name, entries)
    } else if (kind === FILES) {
      // All files of a folder are in memory together, as during the upload.
      const stored: NamedFile[] = []
      for await (const { name, content } of entries)
        stored.push({ name: basename(name), bytes: await buffer(content as AsyncIterable<Uint8Array>) })
      await files.put(stored, name)
      counts.folders++
    } else if (kind === 'missing.json')
      for await (const entry of entries) missing = JSON.parse((await readSmallEntry(entry)).toString())
  }
  for (const folder of missing) await files.remove(folder)
  await client.query(WITHOUT_FOLDERS, [missing])
  for (const { name, last, called } of manifest.sequences) {
    await client.query('select setval($1::regclass, $2, $3)', [client.escapeIdentifier(name), last, called])
  }
  await triggers('enable')
  return counts
}

/** Copies the entries of a table into it. @returns the number of rows @throws CorruptBackupError for an unknown table */
async function copyIn(
  client: pg.Client,
  manifest: Manifest,
  table: string,
  entries: AsyncIterable<Entry>,
): Promise<number> {
  const columns = manifest.tables.find(({ name }) => name === table)?.columns
  if (!columns) throw new CorruptBackupError(`It holds rows of ${table}, of which it does not speak`)
  const names = columns.map(column => client.escapeIdentifier(column)).join(', ')
  const sink = client.query(copyFrom(`copy ${client.escapeIdentifier(table)} (${names}) from stdin`))
  const rows = async function* () {
    for await (const { content } of entries) yield* content
  }
  // A Readable, since after an error of one the pipeline waits until COPY has ended. Before, there can be no rollback.
  await pipeline(Readable.from(rows()), sink)
  return sink.rowCount ?? 0
}
