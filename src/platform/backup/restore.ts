import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import {
  type Connection,
  inUtf8,
  MIGRATION_LOCK,
  MIGRATIONS_TABLE,
  migrate,
  withAdvisoryLock,
} from '../database/database.ts'
import type { Files } from '../storage/files.ts'
import { CorruptBackupError, type Entry, FOREIGN, readArchive, wholeEntry } from './archive.ts'
import { type CopyIn, copyIn } from './copy-in.ts'
import { type Manifest, readManifest } from './manifest.ts'

/** The target of a restore. */
interface Target {
  connection: Connection
  /** Folder of the migrations. */
  migrations: string
  /** Finds the storage for the files of the shop with that id. */
  filesOf: (shop: string) => Files
  /** A statement that removes the rows of some folders, $1: those whose files are missing in the backup. */
  forget: string
}

/** What was restored: number of rows, and of folders with files. */
export interface Restored {
  rows: number
  pictures: number
}

/**
 * Checks a backup: reads it completely, and changes nothing.
 * @throws CorruptBackupError with a sentence if it is damaged, or cannot be restored by this program
 */
export async function check(path: string, migrations: string): Promise<Manifest> {
  let manifest: Manifest | undefined
  for await (const entry of readArchive(path)) {
    if (manifest) for await (const _ of entry.content);
    else manifest = await readManifest(entry)
  }
  if (!manifest) throw new CorruptBackupError(FOREIGN)
  await sqlOf(manifest, migrations)
  return manifest
}

/** The SQL of the migrations of the backup. @throws CorruptBackupError if this program has other ones */
async function sqlOf(manifest: Manifest, folder: string): Promise<string[]> {
  const names = new Set(await readdir(folder))
  const later = manifest.migrations.filter(({ name }) => !names.has(name)).map(({ name }) => name)
  if (later.length > 0)
    throw new CorruptBackupError(
      `It is of a shop newer than this program, which does not know ${later.join(', ')}`,
    )
  const texts: string[] = []
  for (const { name, hash } of manifest.migrations) {
    const text = await readFile(join(folder, name), 'utf8')
    if (createHash('sha256').update(text).digest('hex') !== hash)
      throw new CorruptBackupError(`It is of a shop that was made by another ${name} than this program has`)
    texts.push(text)
  }
  return texts
}

/**
 * Restores a checked backup into an empty database and an empty storage: the migrations of the backup, all rows and sequences in
 * one transaction, and the files. The checksum is compared again before the commit. Then the newer migrations are applied. After
 * an error or an interruption, database and storage are as empty as before.
 * @throws CorruptBackupError if the backup is damaged, Error if the target is not empty
 */
export async function restore(path: string, manifest: Manifest, target: Target): Promise<Restored> {
  const texts = await sqlOf(manifest, target.migrations)
  const files = target.filesOf(manifest.shop)
  // The lock of the migrations: a shop that is started during the restore waits for it.
  const restored = await withAdvisoryLock(target.connection, MIGRATION_LOCK, async client => {
    await inUtf8(client)
    await emptyOnly(client, files)
    using interruption = handleInterruption()
    try {
      await client.query('begin')
      await build(client, manifest, texts)
      const counts = await fill(client, path, manifest, files, target.forget, interruption.signal)
      interruption.signal.throwIfAborted()
      await client.query('commit')
      return counts
    } catch (error) {
      await client.query('rollback').catch(() => {})
      await files.clear()
      throw error
    }
  })
  await migrate(target.connection, target.migrations)
  return restored
}

/**
 * Handles SIGINT, SIGTERM and SIGHUP: they abort the returned signal instead of ending the process, which would leave files behind
 * and make the next restore fail. A second signal has no effect, since npm may forward each signal.
 */
function handleInterruption() {
  const stop = new AbortController()
  const interrupt = () =>
    stop.abort(new Error('The restore was interrupted. The place is as empty as before'))
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const name of names) process.on(name, interrupt)
  return {
    signal: stop.signal,
    [Symbol.dispose]() {
      for (const name of names) process.off(name, interrupt)
    },
  }
}

async function emptyOnly(client: pg.Client, files: Files): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'S', 'f', 'p') limit 1`,
  )
  if (rows[0])
    throw new Error(`The database is not empty: it holds ${rows[0].name}. Restore into an empty one`)
  for await (const _ of files.list(new Date(8.64e15)))
    throw new Error('There are pictures of this very shop already. Restore into an empty place')
  if ((await files.owner?.read()) !== undefined)
    throw new Error(
      `Another database owns the pictures of this very shop, as ${files.owner?.address} says. Restore into an empty place`,
    )
}

async function build(client: pg.Client, manifest: Manifest, texts: string[]): Promise<void> {
  await client.query(MIGRATIONS_TABLE)
  for (const [n, { name, hash, applied_at }] of manifest.migrations.entries()) {
    await client.query(texts[n] ?? '')
    await client.query('insert into migrations (name, hash, applied_at) values ($1, $2, $3)', [
      name,
      hash,
      applied_at,
    ])
  }
}

/** Replaces all rows by those of the backup, without triggers: what they would write is in the backup. */
async function fill(
  client: pg.Client,
  path: string,
  manifest: Manifest,
  files: Files,
  forget: string,
  interrupted: AbortSignal,
) {
  const { rows: all } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'`,
  )
  const tables = all.map(({ name }) => client.escapeIdentifier(name))
  const triggers = (state: 'enable' | 'disable') =>
    client.query(tables.map(name => `alter table ${name} ${state} trigger user`).join(';'))
  await triggers('disable')
  await client.query(`truncate ${tables.join(', ')}`)
  const counts = { rows: 0, pictures: 0 }
  let table: CopyIn | undefined
  let picture: Picture | undefined
  let missing: string[] = []
  try {
    for await (const entry of readArchive(path)) {
      interrupted.throwIfAborted()
      const [kind, name = '', file = ''] = entry.name.split('/')
      if (table && (kind !== 'tables' || table.name !== name)) {
        counts.rows += await table.end()
        table = undefined
      }
      if (picture && (kind !== 'pictures' || picture.folder !== name)) {
        await files.put(picture.files, picture.folder)
        counts.pictures++
        picture = undefined
      }
      if (kind === 'tables') {
        table ??= copyIn(client, manifest, name)
        for await (const bytes of entry.content) await table.write(bytes)
      } else if (kind === 'pictures') {
        picture ??= { folder: name, files: [] }
        picture.files.push({ name: file, bytes: await wholePicture(entry) })
      } else if (kind === 'missing.json') missing = JSON.parse((await wholeEntry(entry)).toString())
      else for await (const _ of entry.content);
    }
  } finally {
    await table?.abandon()
  }
  for (const folder of missing) await files.remove(folder)
  await client.query(forget, [missing])
  for (const { name, last, called } of manifest.sequences) {
    await client.query('select setval($1::regclass, $2, $3)', [client.escapeIdentifier(name), last, called])
  }
  await triggers('enable')
  return counts
}

interface Picture {
  folder: string
  files: { name: string; bytes: Buffer }[]
}

/** The content of a file. All files of a folder are in memory together, as during the upload. */
async function wholePicture({ content }: Entry): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts)
}
