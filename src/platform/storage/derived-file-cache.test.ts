import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { times } from '../../../test/support/expect.ts'
import { DerivedFileCache } from './derived-file-cache.ts'

test('the cleanup job deletes unused pictures, those above the quota, and partial files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'made-'))
  const cache = new DerivedFileCache(folder)
  const day = 24 * 60 * 60 * 1000
  const name = (digit: number) => String(digit).repeat(64)
  const aged = async (file: string, days: number) => {
    const then = new Date(Date.now() - days * day)
    await utimes(join(folder, file), then, then)
  }
  for (const digit of [1, 2, 3, 4]) await cache.get(name(digit), async () => Buffer.alloc(1000))
  await writeFile(join(folder, `${name(5)}.x.part`), 'half')
  for (const [file, days] of [
    [name(1), 31],
    [name(2), 20],
    [name(3), 10],
    [`${name(5)}.x.part`, 2],
  ] as const)
    await aged(file, days)
  await cache.get(name(3), () => Promise.reject(new Error('it is there')))
  await new DerivedFileCache(folder, 1, (8 / 7) * 2_500).sweep()
  expect((await readdir(folder)).sort()).toEqual([name(3), name(4)])
  await rm(folder, { recursive: true })
})

test('a file that cannot be removed keeps nothing else from being made', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'made-'))
  // A folder is not removed like a file.
  await mkdir(join(folder, 'odd'))
  await utimes(join(folder, 'odd'), 0, 0)
  const cache = new DerivedFileCache(folder)
  expect(await cache.get('1'.repeat(64), async () => Buffer.from('made'))).toEqual(Buffer.from('made'))
  expect((await readdir(folder)).sort()).toEqual(['1'.repeat(64), 'odd'])
  await rm(folder, { recursive: true })
})

test('several processes stay within the quota at all times', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'made-'))
  const maxBytes = 64_000
  const processes = [1, 2, 3].map(() => new DerivedFileCache(folder, 3, maxBytes))
  let largest = 0
  const measure = async () => {
    const sizes = (await readdir(folder)).map(name => stat(join(folder, name)).catch(() => ({ size: 0 })))
    largest = Math.max(
      largest,
      (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0),
    )
  }
  for (const [n, cache] of processes.entries())
    for (let turn = 0; turn < 60; turn++) {
      await times(2, m => cache.get(`${n}${m}${turn}`.padEnd(64, 'f'), async () => Buffer.alloc(1_000)))
      await measure()
    }
  expect(largest).toBeGreaterThan(maxBytes / 2)
  expect(largest).toBeLessThanOrEqual(maxBytes)
  await rm(folder, { recursive: true })
})

test('a file is made once at a time, also by callers that come as the ones before are answered', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'made-'))
  await rm(folder, { recursive: true })
  // No folder can be made here: nothing is stored, so each call makes the file.
  await writeFile(folder, '')
  const cache = new DerivedFileCache(join(folder, 'below'))
  let running = 0
  let most = 0
  const make = async () => {
    most = Math.max(most, ++running)
    await setTimeout(5)
    running--
    return Buffer.from('made')
  }
  const get = () => cache.get('1'.repeat(64), make)
  // Each caller begins again as soon as it is answered, before the others are.
  await times(3, async () => {
    for (let round = 0; round < 10; round++) await get()
  })
  expect(most).toBe(1)
  await rm(folder)
})
