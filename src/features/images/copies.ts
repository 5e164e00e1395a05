import { buffer } from 'node:stream/consumers'
import type { Database } from '#platform/database/database.ts'
import type { Files, NamedFile } from '#platform/storage/files.ts'
import { Problem } from '#problem'
import { imageColumns, photoOrder } from './dto.ts'
import { add, isOf, lockAndRequireRoom, type Place, type Uploader } from './images.ts'

/** A photo whose files are copied to a folder of their own. Its row is not written yet. */
type Copied = Awaited<ReturnType<typeof copyFiles>>[number]

/**
 * Copies the files of all photos of a place, in their order. The cleanup job deletes the copies unless `addCopies` follows.
 * A photo without files is left out.
 */
export async function copyFiles(db: Database, files: Files, from: Place) {
  const photos = await db
    .selectFrom('images as i')
    .select(imageColumns)
    .where(isOf(from))
    .orderBy(photoOrder)
    .execute()
  const copies = []
  for (const photo of photos) {
    const contents = await files.contents(photo.folder)
    if (contents.length === 0) continue
    const names = contents.map(({ name }) => name)
    const bytes = contents.reduce((sum, { size }) => sum + size, 0)
    copies.push({ ...photo, bytes, folder: await files.put(contentsOf(files, photo.folder, names)) })
  }
  return copies
}

async function* contentsOf(files: Files, folder: string, names: string[]): AsyncIterable<NamedFile> {
  for (const name of names) {
    const file = await files.open(folder, name)
    if (!file) throw new Problem(409, 'The photos were changed meanwhile. Please try again')
    yield { name, bytes: await buffer(file.stream) }
  }
}

/**
 * Adds copied photos to a place, in their order. Call it in a transaction.
 * @throws Problem 404 for a deleted listing or draft, 409 for too many photos or a full quota
 */
export async function addCopies(
  db: Database,
  uploader: Uploader,
  to: Place,
  copies: Copied[],
): Promise<void> {
  for (const [n, { alt, kind, ...stored }] of copies.entries()) {
    await lockAndRequireRoom(db, uploader, to, stored.bytes)
    await add(db, { ...stored, kind: kind as 'picture' }, uploader.id, to, { position: n + 1, alt })
  }
}
