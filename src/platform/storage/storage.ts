import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { type Files, localFiles } from './files.ts'

/**
 * Opens the place of the settings where shops keep their pictures. What it gives finds those of the shop with that id.
 * @param log is told where a store does not answer: the shop goes on, and its pictures come when the store does
 * @throws Error with a sentence where a store refuses
 */
export async function openStorage(
  { dataDir, storage }: Pick<Config, 'dataDir' | 'storage'>,
  log: (line: string) => void,
): Promise<(shop: string) => Files> {
  if (!storage) return shop => localFiles(join(dataDir, 'uploads', shop))
  // It takes time and memory, which a shop without a store keeps.
  const { S3Storage } = await import('./s3-storage.ts')
  const store = new S3Storage(storage)
  const silence = await store.check()
  if (silence !== undefined) log(`The store at STORAGE_URL does not answer (${silence}). It is asked again`)
  return shop => store.files(shop)
}
