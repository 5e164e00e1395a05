import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { zipArchive } from './zip-archive.ts'

const lastModified = new Date()

/** An endless file. */
function zeros(): Readable {
  return new Readable({
    read(size) {
      this.push(Buffer.alloc(size))
    },
  })
}

test('an archive has its files in order, texts and streams', async () => {
  async function* entries() {
    yield { name: 'a.txt', input: 'é', lastModified }
    yield { name: 'photos/b', input: Readable.from([Buffer.from('one '), Buffer.from('two')]), lastModified }
    yield { name: 'empty', input: Readable.from([]), lastModified }
  }
  const files = unzipSync(await buffer(zipArchive(entries())))
  expect(Object.entries(files).map(([name, content]) => [name, strFromU8(content)])).toEqual([
    ['a.txt', 'é'],
    ['photos/b', 'one two'],
    ['empty', ''],
  ])
})

test('an archive that is not read to its end closes the file that it reads, and opens no other', async () => {
  const files = [zeros(), zeros()]
  let opened = 0
  async function* entries() {
    for (const input of files) yield { name: String(++opened), input, lastModified }
  }
  const archive = zipArchive(entries())
  for await (const _ of archive) break
  await expect.poll(() => files.map(({ destroyed }) => destroyed)).toEqual([true, false])
  expect(opened).toBe(1)
})

test('a file that opens after the archive was destroyed is closed', async () => {
  const { promise: slow, resolve: open } = Promise.withResolvers<Readable>()
  async function* entries() {
    yield { name: 'first', input: 'text', lastModified }
    yield { name: 'second', input: await slow, lastModified }
  }
  const archive = zipArchive(entries())
  archive.resume()
  await new Promise(setImmediate)
  archive.destroy()
  const late = zeros()
  open(late)
  await expect.poll(() => late.destroyed).toBe(true)
})

test('an error of a file is the error of the archive', async () => {
  async function* entries() {
    const input = new Readable({ read() {} })
    setImmediate(() => input.destroy(new Error('The disk is gone')))
    yield { name: 'a', input, lastModified }
  }
  await expect(buffer(zipArchive(entries()))).rejects.toThrow('The disk is gone')
})
