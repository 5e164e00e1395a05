import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import type { PhotoDeps } from '#draft-pictures/add-photo.ts'
import { openPhotoZip } from '#draft-pictures/photo-zip.ts'
import { importArchive } from '#transfer/import-archive.ts'
import type { Person } from './person.ts'
import type { TestShop } from './shop.ts'

/** The archive of a maker's listings. */
export async function archiveOf({ address }: TestShop, { cookie }: Person): Promise<Buffer> {
  const response = await fetch(`${address}/api/listings/export.zip`, { headers: { cookie } })
  return Buffer.from(await response.arrayBuffer())
}

/** Takes an archive in, as `npm run import` does. @returns the outcome of each listing */
export async function takeIn({ app }: TestShop, maker: Person, archive: Uint8Array): Promise<string[]> {
  return (await importOf(app, maker, archive)).rows.map(({ outcome }) => outcome)
}

/** As `takeIn`. @returns rows, and the photos that were not taken in */
export async function importOf(
  shop: PhotoDeps,
  maker: Person,
  archive: Uint8Array,
): ReturnType<typeof importArchive> {
  const folder = await mkdtemp(join(tmpdir(), 'thrum-archive-'))
  const path = join(folder, 'listings.zip')
  await writeFile(path, archive)
  const file = await open(path)
  try {
    return await importArchive(shop, maker.user.id, await openPhotoZip(file.fd))
  } finally {
    await file.close()
    await rm(folder, { recursive: true })
  }
}

interface Listing {
  id: number
  name: string
  photos: { alt: string }[]
}

/** What an archive says, in the same order always, without what every shop numbers anew. */
export function contentOf(archive: Buffer): object[] {
  const { 'listings.json': text = new Uint8Array() } = unzipSync(archive)
  const { listings } = JSON.parse(strFromU8(text)) as { listings: Listing[] }
  const content = listings.map(({ id: _, photos, ...listing }) => ({
    ...listing,
    photos: photos.map(({ alt }) => alt),
  }))
  return content.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}
