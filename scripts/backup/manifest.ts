import * as z from 'zod'
import { CorruptBackupError, type Entry, NOT_A_BACKUP, readSmallEntry, textEntry } from './archive.ts'

const FORMAT = 'thrum-backup'
const VERSION = 1
const MANIFEST_NAME = 'shop.json'
/** The part of an archive that has the folders of files. Backups of every version have this name. */
export const FILES = 'pictures'

const Name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)
const Manifest = z.object({
  format: z.literal(FORMAT),
  version: z.number(),
  /** When the snapshot was taken. */
  made: z.string(),
  /** The id of the shop, which is also the name of the folder with its files. */
  shop: z.uuid(),
  /** The applied migrations, in their order. */
  migrations: z.array(z.object({ name: z.string(), hash: z.string(), applied_at: z.string() })),
  /** The tables and their columns. A table comes after those that its foreign keys refer to. */
  tables: z.array(z.object({ name: Name, columns: z.array(Name).min(1) })),
  sequences: z.array(z.object({ name: Name, last: z.string().regex(/^\d+$/), called: z.boolean() })),
})
/** The first entry of a backup: its version, tables and migrations. */
export type Manifest = z.infer<typeof Manifest>

/** The manifest as the first entry of an archive. */
export const manifestEntry = (manifest: Omit<Manifest, 'format' | 'version'>): Entry =>
  textEntry(MANIFEST_NAME, JSON.stringify({ format: FORMAT, version: VERSION, ...manifest }, null, 1))

/** Parses the first entry of an archive. @throws CorruptBackupError if it is no manifest, or that of a newer program */
export async function readManifest(entry: Entry): Promise<Manifest> {
  const foreign = new CorruptBackupError(NOT_A_BACKUP)
  if (entry.name !== MANIFEST_NAME) throw foreign
  const text = (await readSmallEntry(entry)).toString()
  const parsed: { version?: unknown } = await Promise.resolve(text)
    .then(JSON.parse)
    .catch(() => ({}))
  if (typeof parsed.version === 'number' && parsed.version > VERSION)
    throw new CorruptBackupError('It was made by a newer program')
  const result = Manifest.safeParse(parsed)
  if (!result.success) throw foreign
  return result.data
}
