import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Files, localFiles } from '#platform/storage/files.ts'
import { openStorage } from '#platform/storage/storage.ts'
import { KEYS, openStore, type RealStore } from '../../../test/support/s3-server.ts'
import { listed } from '../../../test/support/stored-files.ts'
import { readConfig } from '../../config.ts'
import { openStream, putStream } from './stored-stream.ts'

let directory: string
let store: RealStore
let files: Files

beforeAll(async () => {
  Object.assign(process.env, KEYS)
  store = await openStore()
})
afterAll(() => store.close())
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'files-'))
})
afterEach(() => rm(directory, { recursive: true }))

let shops = 0
/** Storages of a shop, unused. */
const kinds: Record<string, () => Promise<Files>> = {
  'a directory': async () => localFiles(join(directory, 'uploads')),
  'an object store': async () =>
    (await openStorage(readConfig({ STORAGE_URL: store.url }), () => {}))(`shop-${++shops}`),
}

describe.each(Object.entries(kinds))('in %s', (_, open) => {
  beforeEach(async () => {
    files = await open()
  })

  test('a stream of any length is stored in parts, and read as one', async () => {
    const piece = Buffer.alloc(1_500_000, 'x')
    for (const count of [0, 1, 7]) {
      async function* pieces() {
        for (let n = 0; n < count; n++) yield piece
      }
      const { folder, bytes } = await putStream(files, pieces())
      expect(bytes).toBe(count * piece.length)
      expect((await files.contents(folder)).length).toBe(Math.ceil(count / 3))
      const { stream, size } = await openStream(files, folder)
      expect(size).toBe(bytes)
      expect(await buffer(stream)).toEqual(Buffer.concat(Array(count).fill(piece)))
    }
    expect((await openStream(files, '0'.repeat(32))).size).toBe(0)
  })

  test('a stream that breaks off leaves nothing behind', async () => {
    async function* broken() {
      for (let n = 0; n < 4; n++) yield Buffer.alloc(2_000_000)
      throw new Error('it broke off')
    }
    await expect(putStream(files, broken())).rejects.toThrow('it broke off')
    expect(await listed(files)).toEqual([])
  })
})
