import { link, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { beforeEach, describe, expect, test } from 'vitest'
import { openStorages } from '../../../test/support/storages.ts'
import { large, listed, read, small } from '../../../test/support/stored-files.ts'
import type { Files } from './files.ts'

const { kinds, openObjectStore, objectFolder } = openStorages()
let files: Files

describe.each(Object.entries(kinds))('in %s', (_, open) => {
  beforeEach(async () => {
    files = await open()
  })

  test('a stored file can be opened, with its size', async () => {
    const folder = await files.put([small, large])
    expect(await read(files, folder, '320.webp')).toEqual({ size: 5, text: 'small' })
    expect(await read(files, folder, '640.webp')).toEqual({ size: 6, text: 'larger' })
  })

  test('contents lists the files of a folder with their sizes', async () => {
    const folder = await files.put([large, small])
    const all = [
      { name: '320.webp', size: 5 },
      { name: '640.webp', size: 6 },
    ]
    expect(await files.contents(folder)).toEqual(all)
    for (const none of ['0'.repeat(32), '..', '']) expect(await files.contents(none)).toEqual([])
  })

  test('put can name a folder, and clear removes everything', async () => {
    const folder = '5'.repeat(32)
    expect(await files.put([small], folder)).toBe(folder)
    expect(await read(files, folder, small.name)).toBeDefined()
    await expect(files.put([small], '../x')).rejects.toThrow('not a folder name')
    await files.put([small, large])
    await files.clear()
    expect(await listed(files)).toEqual([])
  })

  test('every upload has its own folder with a random name', async () => {
    const folders = await Promise.all(Array.from({ length: 20 }, () => files.put([small])))
    expect(new Set(folders).size).toBe(20)
    for (const folder of folders) expect(folder).toMatch(/^[0-9a-f]{32}$/)
  })

  test('a failed put leaves nothing behind', async () => {
    await expect(files.put([small, { name: small.name, bytes: large.bytes }])).rejects.toThrow()
    expect(await listed(files)).toEqual([])
  })

  test.each([
    '',
    '..',
    '../x',
    '/etc/passwd',
    'a/b',
    'a\\b',
    'a\0',
    '.webp',
    'a..b',
    'A.webp',
    'é',
    'a'.repeat(65),
  ])('the file name %j is refused, and not found', async name => {
    await expect(files.put([small, { name, bytes: small.bytes }])).rejects.toThrow('not a file name')
    const folder = await files.put([small])
    expect(await files.open(folder, name)).toBeUndefined()
    expect(await listed(files)).toEqual([folder])
  })

  test.each([
    '',
    '.',
    '..',
    '../x',
    '/',
    '/tmp',
    'x',
    'a\0',
    '0'.repeat(31),
    `${'0'.repeat(32)}/..`,
    `${'0'.repeat(32)}\n`,
  ])('the folder name %j is not found, and never removed', async folder => {
    const cache = await files.put([small])
    expect(await files.open(folder, '320.webp')).toBeUndefined()
    await expect(files.remove(folder)).rejects.toThrow('not a folder name')
    expect(await listed(files)).toEqual([cache])
  })

  test('a deleted folder is gone, the others stay, and repeating it is no error', async () => {
    const [deleted, cache] = [await files.put([small]), await files.put([small])]
    await files.remove(deleted)
    await files.remove(deleted)
    expect(await read(files, deleted, small.name)).toBeUndefined()
    expect(await read(files, cache, small.name)).toBeDefined()
  })

  test('an open stream survives the deletion', async () => {
    const folder = await files.put([small])
    const file = await files.open(folder, small.name)
    await files.remove(folder)
    expect((await buffer(file!.stream)).toString()).toBe('small')
  })

  test('lists only folders written before a time', async () => {
    expect(await listed(files)).toEqual([])
    const folders = [await files.put([small, large]), await files.put([small])]
    expect(await listed(files)).toEqual(folders.sort())
    expect(await listed(files, new Date(2_000_000))).toEqual([])
  })
})

test('an object store with more files than one response is listed to its end', async () => {
  files = await openObjectStore()
  const first = await files.put([small])
  const path = objectFolder()
  const hexadecimal = (n: number) => n.toString(16).padStart(32, '0')
  const parts = await readdir(join(path, first))
  const copies = Array.from({ length: 1_100 }, async (_, n) => {
    await mkdir(join(path, hexadecimal(n)))
    for (const part of parts) await link(join(path, first, part), join(path, hexadecimal(n), part))
  })
  await Promise.all(copies)
  const found = await listed(files)
  expect(found).toHaveLength(1_101)
  expect(new Set(found).size).toBe(1_101)
  await files.remove(hexadecimal(1_050))
  expect(await listed(files)).toHaveLength(1_100)
})
