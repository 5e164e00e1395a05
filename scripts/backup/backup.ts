import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { FOLDERS } from '../../src/features/images/backup-queries.ts'
import { imageFiles } from '../../src/features/images/dto.ts'
import { type ConnectionOptions, createClient, shopIdFor } from '../../src/platform/database/database.ts'
import type { Files } from '../../src/platform/storage/files.ts'
import { handleInterruption } from '../cli/interruption.ts'
import { tablesInOrder } from '../tables-in-order.ts'
import { type Entry, textEntry, writeArchive } from './archive.ts'
import { EXCLUDED_TABLES, ROW_CONDITIONS } from './excluded.ts'
import { FILES, type Manifest, manifestEntry } from './manifest.ts'

/** Size of an entry with rows of a table, bytes: the size of an entry has to be known before it is written. */
const CHUNK = 1024 * 1024

/** A row of `FOLDERS`. */
type FolderRow = { folder: string } & Parameters<typeof imageFiles>[0]

/** What a backup contains. */
export interface BackupSummary {
  tables: number
  /** Folders with files. */
  folders: number
  /** Folders without all of their files to which rows still refer: these are lost, or the storage is another one. */
  lost: number
  /** Size of the archive. */
  bytes: number
}

/**
 * Writes a backup into one archive, while the shop is running: a snapshot of all tables, and the files that its rows refer to.
 * Files never change, so they are read after the snapshot, whose locks are released: a migration need not wait for them. A file
 * that was removed meanwhile is listed in `missing.json`, so that a restore removes its row as well. An interruption leaves no
 * file.
 * @param filesOf finds the storage for the files of the shop with that id
 * @param excluded tables that are left out
 * @throws Error if the file exists, or database or storage cannot be read
 */
export async function backUpShop(
  path: string,
  connection: ConnectionOptions,
  filesOf: (shop: string) => Files,
  excluded = EXCLUDED_TABLES,
): Promise<BackupSummary> {
  const client = createClient(connection, {})
  const summary = { tables: 0, folders: 0, lost: 0, bytes: 0 }
  const missing: string[] = []
  using interruption = handleInterruption('The backup was interrupted. Nothing is left of it')
  try {
    await client.connect()
    await client.query(`
      set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = '60s';
      set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 3;
      begin isolation level repeatable read read only`)
    summary.bytes = await writeArchive(
      path,
      entries(client, filesOf, excluded, summary, missing),
      interruption.signal,
    )
    if (missing.length > 0) summary.lost = await stillMissing(connection, missing)
    return summary
  } finally {
    await client.end()
  }
}

/**
 * Of the folders that were missing, how many rows refer to them still. A connection of its own: the first one may have ended
 * while the files were read.
 */
async function stillMissing(connection: ConnectionOptions, missing: string[]): Promise<number> {
  const absent = new Set(missing)
  const client = createClient(connection, {})
  try {
    await client.connect()
    return (await foldersOf(client)).filter(({ folder }) => absent.has(folder)).length
  } finally {
    await client.end()
  }
}

/** @param missing receives the folders whose files are not all there */
async function* entries(
  client: pg.Client,
  filesOf: (shop: string) => Files,
  excluded: readonly string[],
  summary: BackupSummary,
  missing: string[],
): AsyncIterable<Entry> {
  const manifest = await readState(client, excluded)
  yield manifestEntry(manifest)
  for (const { name, columns } of manifest.tables) {
    yield* rowsOf(client, name, columns, ROW_CONDITIONS[name])
    summary.tables++
  }
  const folders = await foldersOf(client)
  await client.query('commit')
  const files = filesOf(manifest.shop)
  for (const row of folders) {
    const isComplete = yield* contentOf(files, row.folder, imageFiles(row))
    if (isComplete) summary.folders++
    else missing.push(row.folder)
  }
  yield textEntry('missing.json', JSON.stringify(missing))
}

const NO_SHOP = 'There is no shop in this database'

async function readState(
  client: pg.Client,
  excluded: readonly string[],
): Promise<Omit<Manifest, 'format' | 'version'>> {
  const query = async <R extends pg.QueryResultRow>(sql: string) => (await client.query<R>(sql)).rows
  const tables = await tablesInOrder(client, excluded)
  // A database without tables: DATA_DIR or DATABASE_URL names no shop.
  if (tables.length === 0) throw new Error(NO_SHOP)
  // No table can be altered during the backup.
  await client.query(
    `lock table ${tables.map(({ name }) => client.escapeIdentifier(name)).join(', ')} in access share mode`,
  )
  const shop = await shopIdFor(client)
  if (shop === undefined) throw new Error(NO_SHOP)
  const [now] = await query<{ made: string }>(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as made`,
  )
  return {
    made: now?.made ?? '',
    shop,
    migrations: await query('select name, hash, applied_at::text from migrations order by name'),
    tables,
    sequences: await sequences(client),
  }
}

/** The state of all sequences. Sequences are not part of the snapshot: read after it, they are beyond all its ids. */
async function sequences(client: pg.Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by 1`,
  )
  const all: Manifest['sequences'] = []
  for (const { name } of rows) {
    const state = await client.query<{ last: string; called: boolean }>(
      `select last_value as last, is_called as called from ${client.escapeIdentifier(name)}`,
    )
    all.push({ name, last: '1', called: false, ...state.rows[0] })
  }
  return all
}

/** The rows of a table in the text format of COPY: `tables/users/0001`, `tables/users/0002`, … */
async function* rowsOf(
  client: pg.Client,
  table: string,
  columns: string[],
  condition = 'true',
): AsyncIterable<Entry> {
  let part = 0
  let waiting: Uint8Array[] = []
  let size = 0
  const chunk = (): Entry => {
    const entry = { name: `tables/${table}/${String(++part).padStart(4, '0')}`, size, content: waiting }
    waiting = []
    size = 0
    return entry
  }
  const names = columns.map(name => client.escapeIdentifier(name)).join(', ')
  for await (const bytes of client.query(
    copyTo(`copy (select ${names} from ${client.escapeIdentifier(table)} where ${condition}) to stdout`),
  )) {
    waiting.push(bytes)
    size += bytes.length
    if (size >= CHUNK) yield chunk()
  }
  if (size > 0) yield chunk()
}

const foldersOf = async (client: pg.Client) => (await client.query<FolderRow>(FOLDERS)).rows

/** The files of a folder. @param names all that it has to have @returns false if one of them is missing */
async function* contentOf(files: Files, folder: string, names: string[]): AsyncGenerator<Entry, boolean> {
  const contents = await files.contents(folder)
  if (!names.every(each => contents.some(({ name }) => name === each))) return false
  for (const { name } of contents) {
    const found = await files.open(folder, name)
    if (!found) return false
    yield { name: `${FILES}/${folder}/${name}`, size: found.size, content: found.stream }
  }
  return true
}
