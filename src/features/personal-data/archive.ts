import type { Readable } from 'node:stream'
import type { Id } from '#contract'
import { type OwnedImage, ownedBy } from '#images/owned.ts'
import type { Database } from '#platform/database/database.ts'
import type { Files } from '#platform/storage/files.ts'
import { zipArchive } from '#platform/storage/zip-archive.ts'
import { beginSnapshot, collect, pathOf } from './collect.ts'

const readMe = (name: string) => `What ${name} stores about you.

data.json    everything as text: your account, what you agreed to, where you are logged in, your passkeys, your shop page
             with its sections, your listings with every change of stock, your drafts, your postage, photos, reviews and
             replies, what you saved, your addresses, your cart with how it is sent (delivery), your orders with
             everything that happened to them and your messages (orders), your pieces in the orders of others (sold),
             what you recorded and wrote about these (sales), your conversations, how you came to sell with your
             applications and details as a seller, decisions about what is yours (notices), what you reported, and
             the kinds of letters that you do not want. Moments are in UTC.
photos/      your photos and documents, by their number in data.json

Left out are your password and the cookies of your browsers, of which only hashes are stored, the public keys of
your passkeys, and the counters of rate limits, which are deleted after two hours, or two days for these archives.
Left out too are the letters and notifications that you were sent, which are deleted after 30 or 90 days, what happened
to your account (logins and changes, with the device, for 30 days), and what you did as an operator of the shop.
`

/**
 * A zip archive of everything about a user: data.json, READ ME.txt and the photos. It is made while it is read. A photo that
 * is deleted meanwhile is left out.
 * @param shop name of the shop
 */
export function archiveOf(shop: string, db: Database, files: Files, userId: Id): Readable {
  const now = new Date()
  async function* entries() {
    yield { name: 'READ ME.txt', input: readMe(shop), lastModified: now }
    const snapshot = await beginSnapshot(db)
    let images: OwnedImage[]
    try {
      images = await ownedBy(snapshot, userId)
      const input = jsonOf({ exported_at: now, format: 1, ...(await collect(snapshot, userId, images)) })
      yield { name: 'data.json', input, lastModified: now }
    } finally {
      // It has written nothing. If the connection is lost, the reason is thrown already.
      await snapshot
        .rollback()
        .execute()
        .catch(() => {})
    }
    for (const image of images)
      for (const file of image.files) {
        const found = await files.open(image.folder, file)
        if (found)
          yield {
            name: pathOf(image, file),
            input: found.stream,
            lastModified: image.created_at,
          }
      }
  }
  return zipArchive(entries())
}

/** An object as JSON. Of a list that is read page by page, one page is in memory. */
async function* jsonOf(object: object): AsyncGenerator<string> {
  let before = '{\n  '
  for (const [name, value] of Object.entries(object)) {
    yield `${before}${JSON.stringify(name)}: `
    if (isPaged(value)) yield* arrayOf(value)
    else yield indented(value)
    before = ',\n  '
  }
  yield '\n}\n'
}

const isPaged = (value: unknown): value is AsyncIterable<unknown[]> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

async function* arrayOf(pages: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let before = '[\n    '
  for await (const page of pages) {
    // Without the brackets of the page.
    yield before + indented(page).slice('[\n    '.length, -'\n  ]'.length)
    before = ',\n    '
  }
  yield before === '[\n    ' ? '[]' : '\n  ]'
}

/** A value as JSON, on the second level. */
const indented = (value: unknown): string => JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')
