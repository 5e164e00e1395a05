import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { large, listed, read, small } from '../../../test/support/stored-files.ts'
import { type Files, localFiles } from './files.ts'

let directory: string
let files: Files
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'files-'))
})
afterEach(() => rm(directory, { recursive: true }))

describe('in a directory', () => {
  beforeEach(() => {
    files = localFiles(join(directory, 'uploads'))
  })

  test('a failed put leaves no folder behind', async () => {
    await expect(files.put([small, { name: small.name, bytes: large.bytes }])).rejects.toThrow('EEXIST')
    expect(await readdir(join(directory, 'uploads'))).toEqual([])
  })

  test('a path is not a name', async () => {
    const folder = await files.put([small])
    await writeFile(join(directory, 'secret'), 'outside')
    expect(await files.open(folder, '../../secret')).toBeUndefined()
    expect(await files.open(`${folder}/..`, small.name)).toBeUndefined()
  })

  test('the list holds the folders written before a time', async () => {
    const [old, recent] = [await files.put([small]), await files.put([small])]
    await utimes(join(directory, 'uploads', old), 1000, 1000)
    expect(await listed(files, new Date(2_000_000))).toEqual([old])
    expect(await listed(files)).toEqual([old, recent].sort())
  })

  test('a partial folder after a crash is not served, but listed and deleted', async () => {
    const folder = '0'.repeat(32)
    const part = join(directory, 'uploads', `${folder}.part`)
    await mkdir(part, { recursive: true })
    await writeFile(join(part, small.name), 'sm')
    expect(await read(files, folder, small.name)).toBeUndefined()
    expect(await listed(files)).toEqual([folder])
    await files.remove(folder)
    expect(await readdir(join(directory, 'uploads'))).toEqual([])
  })

  test('other files are never listed', async () => {
    await mkdir(join(directory, 'uploads', 'lost+found'), { recursive: true })
    expect(await listed(files)).toEqual([])
  })
})
