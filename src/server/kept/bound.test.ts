import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { asker, slowly } from '../../../test/kept.ts'
import type { Connection } from '../database/database.ts'
import { Kept } from './kept.ts'

let kept: Kept
beforeEach(async () => {
  kept = new Kept()
  await kept.listen(inject('server') as Connection)
})
afterEach(() => kept.close())

const MB = 2 ** 20

test('all that is kept stays under 8 MB: what nobody asked for longest goes first', async () => {
  const { get, load } = asker(kept, 1.25 * MB)
  for (const key of ['a', 'b', 'c', 'd']) await get(key)
  expect(await get('b')).toBe('b 2')
  expect(await get('d')).toBe('d 4')
  expect(load).toHaveBeenCalledTimes(4)
  expect(await get('a')).toBe('a 5')
})

test('what was asked for again stays, however much is asked for once', async () => {
  const { get } = asker(kept, 0.5 * MB)
  await get('landing page')
  await get('landing page')
  for (let i = 0; i < 100; i++) await get(`search ${i}`)
  expect(await get('landing page')).toBe('landing page 1')
  expect(kept.bytes).toBeLessThanOrEqual(8 * MB)
})

test('what was asked for again makes room as well', async () => {
  const { get } = asker(kept, 0.5 * MB)
  const twice = async (key: string) => [await get(key), await get(key)]
  expect(await twice('first')).toEqual(['first 1', 'first 1'])
  for (let i = 0; i < 10; i++) await twice(`page ${i}`)
  expect(kept.bytes).toBeLessThanOrEqual(8 * MB)
  expect(await get('first')).not.toBe('first 1')
})

test('answers that say nothing take room too', async () => {
  const { get } = asker(kept, 0)
  await get('first')
  for (let i = 0; i < 40_000; i++)
    await kept.get(
      `nothing ${i}`,
      async () => undefined,
      () => ({ bytes: 0 }),
    )
  expect(await get('first')).toBe('first 2')
})

test('a slow answer that arrives last does not break the bound', async () => {
  const { load, finish } = slowly()
  const large = () => ({ bytes: 5 * MB })
  const first = kept.get('slow', load, large)
  const { get } = asker(kept, 5 * MB)
  await get('quick')
  finish('here')
  await first
  const both = [await kept.get('slow', async () => 'again', large), await get('quick')]
  expect(both).not.toEqual(['here', 'quick 1'])
})
