/** How long a maker waits for a listings file, and the memory of the shop meanwhile. */

import { HEADER, row } from '../test/support/etsy-files.ts'
import type { RealShop } from '../test/support/harness.ts'
import { peakMemoryOf } from './cpu-usage.ts'

/** Characters of a description. */
const DESCRIPTION = 900

/** A listings file of Etsy: each row with a long title and description, thirteen tags, five photos and two variations. */
export function generatedFile(rows: number): Buffer {
  const tags = Array.from({ length: 13 }, (_, n) => `tag_number_${n}`).join(',')
  const address = (n: number, photo: number) =>
    `https://i.etsystatic.com/1/r/il/a/${n}/il_fullxfull.${n}${photo}_a.jpg`
  const lines = Array.from({ length: rows }, (_, n) =>
    row({
      TITLE: `Speckled stoneware mug number ${n}, thrown on a kick wheel, with a wide handle`,
      DESCRIPTION: 'Thrown by hand from local clay, and fired twice. '.repeat(DESCRIPTION / 49).trim(),
      TAGS: tags,
      ...Object.fromEntries([1, 2, 3, 4, 5].map(photo => [`IMAGE${photo}`, address(n, photo)])),
      ...{ 'VARIATION 1 NAME': 'Size', 'VARIATION 1 VALUES': 'Small,Large' },
      ...{ 'VARIATION 2 NAME': 'Glaze', 'VARIATION 2 VALUES': 'Cream,Indigo' },
      SKU: `MUG-${n}`,
    }),
  )
  return Buffer.from([HEADER, ...lines, ''].join('\n'))
}

/**
 * Sends a file and says Yes. The shop must not fetch photos.
 * @returns seconds until the preview and until all drafts are there, and the largest memory, MB
 */
export async function importFile(shop: RealShop, file: Buffer) {
  const maker = await shop.signUp('maker')
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  const sent = await maker.upload('/api/import/', file, 'EtsyListingsDownload.csv', 'file', 'text/csv')
  const preview = seconds()
  const { status } = await maker.post(`/api/import/${sent.body.id}`)
  if (sent.status !== 201 || status !== 200)
    throw new Error(`The import was answered ${sent.status} and ${status}`)
  return { preview, done: seconds(), peak: peakMemoryOf(shop) }
}
