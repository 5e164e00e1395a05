import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type Connection, createClient, shopIdFor } from '../database/database.ts'
import type { Files } from '../storage/files.ts'
import { type Entry, textEntry, writeArchive } from './archive.ts'
import { type Manifest, manifestEntry } from './manifest.ts'

/** Rows of a table are kept in files of about this size, for the size of a file stands before it. */
const CHUNK = 1024 * 1024
const PAGE = 500

/** What a backup is made of. */
interface Source {
  connection: Connection
  /** The pictures of the shop with that id. */
  filesOf: (shop: string) => Files
  /** Tables whose rows are not worth keeping. */
  without: readonly string[]
  /** A query for the folders of all pictures that the database knows, as `folder`. */
  pictures: string
}

export interface Made {
  tables: number
  pictures: number
  bytes: number
}

/**
 * Writes a whole shop into one archive while it is open: the rows of all tables as they are at one moment, and the
 * pictures that they name. A picture is written once and never changes, so it may be read after that moment; one that
 * was removed meanwhile is left out and named, for its row to be left out as well.
 */
export async function backUp(source: Source, path: string): Promise<Made> {
  const client = createClient(source.connection, {})
  const made = { tables: 0, pictures: 0, bytes: 0 }
  try {
    await client.connect()
    await client.query(`
      set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = '60s';
      set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 3;
      begin isolation level repeatable read read only`)
    made.bytes = await writeArchive(path, entries(client, source, made))
    return made
  } finally {
    await client.end()
  }
}

async function* entries(client: pg.Client, source: Source, made: Made): AsyncIterable<Entry> {
  const head = await readHead(client, source.without)
  yield manifestEntry(head)
  for (const { name, columns } of head.tables) {
    yield* rowsOf(client, name, columns)
    made.tables++
  }
  const files = source.filesOf(head.shop)
  const missing: string[] = []
  for await (const folder of folders(client, source.pictures)) {
    const whole = yield* contentOf(files, folder)
    if (whole) made.pictures++
    else missing.push(folder)
  }
  yield textEntry('missing.json', JSON.stringify(missing))
}

async function readHead(
  client: pg.Client,
  without: readonly string[],
): Promise<Omit<Manifest, 'format' | 'version'>> {
  const query = async <R extends pg.QueryResultRow>(sql: string) => (await client.query<R>(sql)).rows
  const found = await query<{ name: string; columns: string[]; after: string[] }>(`
    select c.relname as name,
      array(select attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
        and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and r.oid <> c.oid) as after
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'migrations'
    order by 1`)
  const tables = inOrder(found.filter(({ name }) => !without.includes(name)))
  // Nobody alters a table while it is being read; whoever wants to, waits.
  await client.query(
    `lock table ${tables.map(({ name }) => client.escapeIdentifier(name)).join(', ')} in access share mode`,
  )
  const shop = await shopIdFor(client)
  if (shop === undefined) throw new Error('There is no shop in this database')
  const [now] = await query<{ made: string }>(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as made`,
  )
  return {
    made: now?.made ?? '',
    shop,
    migrations: await query('select name, hash, applied_at::text from migrations order by name'),
    tables: tables.map(({ name, columns }) => ({ name, columns })),
    sequences: await sequences(client),
  }
}

/** Read after the snapshot was taken, so each is beyond every id in it. */
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

/** Tables so that each comes after those it refers to. @throws Error where they refer to one another in a circle */
function inOrder<T extends { name: string; after: string[] }>(tables: T[]): T[] {
  const done: T[] = []
  for (let rest = tables; rest.length > 0; ) {
    const ready = rest.filter(({ after }) => !rest.some(({ name }) => after.includes(name)))
    if (ready.length === 0)
      throw new Error(`Tables refer to one another in a circle: ${rest.map(t => t.name)}`)
    done.push(...ready)
    rest = rest.filter(table => !ready.includes(table))
  }
  return done
}

/** A table's rows as PostgreSQL's COPY writes them, a line each: `tables/users/0001`, `tables/users/0002`, … */
async function* rowsOf(client: pg.Client, table: string, columns: string[]): AsyncIterable<Entry> {
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
    copyTo(`copy ${client.escapeIdentifier(table)} (${names}) to stdout`),
  )) {
    waiting.push(bytes)
    size += bytes.length
    if (size >= CHUNK) yield chunk()
  }
  if (size > 0) yield chunk()
}

async function* folders(client: pg.Client, pictures: string): AsyncIterable<string> {
  await client.query(`declare pictures no scroll cursor for ${pictures}`)
  for (let more = true; more; ) {
    const { rows } = await client.query<{ folder: string }>(`fetch ${PAGE} from pictures`)
    for (const { folder } of rows) yield folder
    more = rows.length === PAGE
  }
}

/** @returns whether all of the folder was there */
async function* contentOf(files: Files, folder: string): AsyncGenerator<Entry, boolean> {
  const contents = await files.contents(folder)
  for (const { name } of contents) {
    const found = await files.open(folder, name)
    if (!found) return false
    yield { name: `pictures/${folder}/${name}`, size: found.size, content: found.stream }
  }
  return contents.length > 0
}
