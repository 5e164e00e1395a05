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

/** Where a backup goes. */
interface Target {
  connection: Connection
  /** The program's migrations. */
  migrations: string
  /** The place for the pictures of the shop with that id. */
  filesOf: (shop: string) => Files
  /** Removes the pictures of some folders from the database: those that the backup could not get hold of any more. */
  forget: string
}

export interface Restored {
  rows: number
  pictures: number
}

/**
 * Reads a backup from its first byte to its last and changes nothing.
 * @throws Damaged with a sentence, where it is not whole or this program cannot restore it
 */
export async function check(path: string, migrations: string): Promise<Manifest> {
  let head: Manifest | undefined
  for await (const entry of readArchive(path)) {
    if (head) for await (const _ of entry.content);
    else head = await readManifest(entry)
  }
  if (!head) throw new CorruptBackupError(FOREIGN)
  await sqlOf(head, migrations)
  return head
}

/** The text of every migration that the backup's database was made by. @throws Damaged where this program has others */
async function sqlOf(head: Manifest, folder: string): Promise<string[]> {
  const names = new Set(await readdir(folder))
  const later = head.migrations.filter(({ name }) => !names.has(name)).map(({ name }) => name)
  if (later.length > 0)
    throw new CorruptBackupError(
      `It is of a shop newer than this program, which does not know ${later.join(', ')}`,
    )
  const texts: string[] = []
  for (const { name, hash } of head.migrations) {
    const text = await readFile(join(folder, name), 'utf8')
    if (createHash('sha256').update(text).digest('hex') !== hash)
      throw new CorruptBackupError(`It is of a shop that was made by another ${name} than this program has`)
    texts.push(text)
  }
  return texts
}

/**
 * Restores a backup that was checked into an empty database: its tables as they were made then, all rows, and the sequences, in one
 * transaction; the pictures beside them. The checksum is compared once more before that is committed. Then the database is brought to this program's version. Whatever goes
 * wrong, and where somebody interrupts it, the place is as empty as before.
 * @throws Damaged for a file that cannot be restored, Error where the place is not empty
 */
export async function restore(path: string, head: Manifest, target: Target): Promise<Restored> {
  const texts = await sqlOf(head, target.migrations)
  const files = target.filesOf(head.shop)
  // The lock of migrations: a shop that is started here meanwhile waits, and finds itself restored.
  const restored = await withAdvisoryLock(target.connection, MIGRATION_LOCK, async client => {
    await inUtf8(client)
    await emptyOnly(client, files)
    using interruption = heedInterruption()
    try {
      await client.query('begin')
      await build(client, head, texts)
      const counts = await fill(client, path, head, files, target.forget, interruption.signal)
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
 * From now on Ctrl-C does not end the process: pictures would be left behind, and the next restore refused. It aborts
 * the signal instead. A second one changes nothing, since npm may pass each on once more.
 */
function heedInterruption() {
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

async function build(client: pg.Client, head: Manifest, texts: string[]): Promise<void> {
  await client.query(MIGRATIONS_TABLE)
  for (const [n, { name, hash, applied_at }] of head.migrations.entries()) {
    await client.query(texts[n] ?? '')
    await client.query('insert into migrations (name, hash, applied_at) values ($1, $2, $3)', [
      name,
      hash,
      applied_at,
    ])
  }
}

/** Replaces what the migrations wrote by the rows of the backup. Triggers wait: what they would write is in it. */
async function fill(
  client: pg.Client,
  path: string,
  head: Manifest,
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
        table ??= copyIn(client, head, name)
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
  for (const { name, last, called } of head.sequences) {
    await client.query('select setval($1::regclass, $2, $3)', [client.escapeIdentifier(name), last, called])
  }
  await triggers('enable')
  return counts
}

interface Picture {
  folder: string
  files: { name: string; bytes: Buffer }[]
}

/** The renditions of one picture lie in memory together, as when it was uploaded. */
async function wholePicture({ content }: Entry): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts)
}
