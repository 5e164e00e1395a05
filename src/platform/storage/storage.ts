import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { type Files, localFiles } from './files.ts'

/** Permissions of folders with private files: their owner alone reads them. */
const PRIVATE_MODE = 0o700

/**
 * Opens the storage of uploaded files that the settings name: an S3-compatible store, or the folder `uploads`.
 * @param log receives a sentence if the store does not respond; its files are then served as soon as it does
 * @returns finds the files of the shop with that id. Private ones have folders of their own below it, which no list of the
 * others contains
 * @throws Error with a sentence if the store refuses access
 */
export async function openStorage(
  { dataDir, storage }: Pick<Config, 'dataDir' | 'storage'>,
  log: (line: string) => void,
): Promise<(shop: string, place?: 'private') => Files> {
  if (!storage) {
    const uploads = join(dataDir, 'uploads')
    return (shop, place) =>
      place ? localFiles(join(uploads, shop, place), PRIVATE_MODE) : localFiles(join(uploads, shop))
  }
  // The S3 client takes time and memory to load.
  const { S3Storage } = await import('./s3-storage.ts')
  const store = new S3Storage(storage)
  const reason = await store.check()
  if (reason !== undefined)
    log(`The object store at STORAGE_URL does not respond (${reason}). Files are served as soon as it does`)
  return (shop, place) => store.files(place ? `${shop}/${place}` : shop)
}
