import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeRenditions } from '#images/renditions.ts'
import { cropPicture, readPicture } from './pictures.ts'
import { listings } from './shop.ts'

const names = (await readdir(join(import.meta.dirname, 'pictures'))).sort()

test('every picture of the demo belongs to a listing', () => {
  const used = listings.flatMap(({ picture, views = [] }) => [picture, ...views])
  expect(names).toEqual([...new Set(used)].sort())
})

test('a picture is stored in the sizes that an upload of it would have', async () => {
  for (const name of names) {
    const { files, colour, ...size } = await readPicture(name)
    const { files: _, colour: __, ...wanted } = await makeRenditions(files.at(-1)!.bytes)
    expect(size, name).toEqual(wanted)
    expect(colour, name).toMatch(/^#[0-9a-f]{6}$/)
    for (const [n, { bytes }] of files.entries())
      expect((await sharp(bytes).metadata()).width, name).toBe(size.widths[n])
  }
})

test('a crop is a part of the picture, at most 800 pixels wide', async () => {
  const strip = await cropPicture(names[0]!, { left: 0, top: 0.3, width: 1, height: 0.4 })
  expect(await sharp(strip).metadata()).toMatchObject({ format: 'jpeg', width: 800, height: 320 })
})
