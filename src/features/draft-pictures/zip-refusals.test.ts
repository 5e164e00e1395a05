import { randomBytes } from 'node:crypto'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'
import { OF_A_WHOLE_SHOP, openPhotoZip } from './photo-zip.ts'

const PATH = '/api/import/photos/zip'
const photo = new Uint8Array(pngOf(300, 200))
let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const locked = () => {
  const zip = Buffer.from(zipSync({ 'MUG-01.png': photo }))
  const directory = zip.indexOf(Buffer.from('PK\x01\x02', 'latin1'))
  zip.writeUInt16LE(1, directory + 8)
  return zip
}
const many = (count: number) => {
  const none = new Uint8Array()
  return zipSync(Object.fromEntries(Array.from({ length: count }, (_, n) => [`MUG-01/${n}.png`, none])))
}
/** A zip whose directory names one file of a megabyte of noise so many times. */
const overlapping = (times: number) => {
  const zip = Buffer.from(zipSync({ 'MUG-01.png': [randomBytes(2 ** 20), { level: 0 }] }))
  const [directory, end] = ['PK\x01\x02', 'PK\x05\x06'].map(mark => zip.indexOf(Buffer.from(mark, 'latin1')))
  const entry = zip.subarray(directory, end)
  const tail = Buffer.from(zip.subarray(end))
  for (const at of [8, 10]) tail.writeUInt16LE(times, at)
  tail.writeUInt32LE(entry.length * times, 12)
  return Buffer.concat([zip.subarray(0, directory), ...Array<Buffer>(times).fill(entry), tail])
}

test.each<[string, () => Uint8Array, string]>([
  ['no zip', () => strToU8('hello'.repeat(1_000)), 'This file is no zip, or it is damaged'],
  ['an empty file', () => new Uint8Array(), 'Please choose a zip file'],
  [
    'one that is cut off',
    () => zipSync({ 'a.png': photo }).subarray(0, -30),
    'This file is no zip, or it is damaged',
  ],
  [
    'a bomb',
    () => zipSync({ 'MUG-01.png': new Uint8Array(64 * 2 ** 20) }),
    'The zip unpacks to more than photos need',
  ],
  ['files over one another', () => overlapping(600), 'The zip unpacks to more than photos need'],
  [
    'a path above',
    () => zipSync({ '../MUG-01.png': photo }),
    'A name in the zip leads out of its folder: ../MUG-01.png',
  ],
  [
    'a path up and down',
    () => zipSync({ 'a/../../b.png': photo }),
    'A name in the zip leads out of its folder',
  ],
  [
    'an absolute path',
    () => zipSync({ '/etc/MUG-01.png': photo }),
    'A name in the zip leads out of its folder',
  ],
  ['a drive', () => zipSync({ 'C:/MUG-01.png': photo }), 'A name in the zip leads out of its folder'],
  ['backslashes', () => zipSync({ 'a\\MUG-01.png': photo }), 'A name in the zip leads out of its folder'],
  ['a long name', () => zipSync({ [`${'a'.repeat(501)}.png`]: photo }), 'A name in the zip is too long'],
  ['a password', locked, 'The zip is locked with a password'],
  ['10,000 pictures', () => many(10_000), 'A zip can have at most 5,000 files'],
])('%s is refused, and nothing changes', async (_, zip, message) => {
  const ana = await shop.signUp('ana')
  const { status, body } = await ana.upload(PATH, Buffer.from(zip()), 'photos.zip', 'zip', 'application/zip')
  expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
  expect((await ana.get('/api/import/photos')).body).toMatchObject({ total: 0 })
})

test('those who run the shop take in an archive with more files than a maker can send', async () => {
  const path = join(shop.dataDir, 'large.zip')
  await writeFile(path, many(10_000))
  const file = await open(path)
  try {
    expect((await openPhotoZip(file.fd, OF_A_WHOLE_SHOP)).names).toHaveLength(10_000)
    await expect(openPhotoZip(file.fd)).rejects.toThrow('A zip can have at most 5,000 files')
  } finally {
    await file.close()
  }
})
