import { buffer } from 'node:stream/consumers'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Files } from '#platform/storage/files.ts'
import { openStorages } from '../../../test/support/storages.ts'
import { listed } from '../../../test/support/stored-files.ts'
import { openStream, putStream } from './stored-stream.ts'

const { kinds } = openStorages()
let files: Files

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
