import * as z from 'zod'
import { CorruptBackupError, type Entry, FOREIGN, textEntry, wholeEntry } from './archive.ts'

const FORMAT = 'thrum-backup'
const VERSION = 1
const HEAD = 'shop.json'

const Name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)
const Manifest = z.object({
  format: z.literal(FORMAT),
  version: z.number(),
  /** When the snapshot was taken. */
  made: z.string(),
  /** The id of the shop, and of the folder with its pictures. */
  shop: z.uuid(),
  /** What the database was made by, in this order. */
  migrations: z.array(z.object({ name: z.string(), hash: z.string(), applied_at: z.string() })),
  /** Each with the columns of its rows; a table comes after those that it refers to. */
  tables: z.array(z.object({ name: Name, columns: z.array(Name).min(1) })),
  sequences: z.array(z.object({ name: Name, last: z.string().regex(/^\d+$/), called: z.boolean() })),
})
/** What a backup says of itself, in its first file. */
export type Manifest = z.infer<typeof Manifest>

export const manifestEntry = (head: Omit<Manifest, 'format' | 'version'>): Entry =>
  textEntry(HEAD, JSON.stringify({ format: FORMAT, version: VERSION, ...head }, null, 1))

/** @throws CorruptBackupError where the first entry of an archive is no manifest, or one of a later program */
export async function readManifest(entry: Entry): Promise<Manifest> {
  const foreign = new CorruptBackupError(FOREIGN)
  if (entry.name !== HEAD) throw foreign
  const text = (await wholeEntry(entry)).toString()
  const said: { version?: unknown } = await Promise.resolve(text)
    .then(JSON.parse)
    .catch(() => ({}))
  if (typeof said.version === 'number' && said.version > VERSION)
    throw new CorruptBackupError('It was made by a newer program')
  const read = Manifest.safeParse(said)
  if (!read.success) throw foreign
  return read.data
}
