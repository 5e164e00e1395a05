import { unzipSync } from 'fflate'
import { expect } from 'vitest'
import { archiveOf } from './archive.ts'
import { soon } from './expect.ts'
import type { Person, TestShop } from './shop.ts'

/** Requests the data of a person, and downloads it. @returns file → content */
export async function download(shop: TestShop, person: Person): Promise<Record<string, Uint8Array>> {
  expect((await person.post('/api/account/data')).status).toBe(201)
  await expect.poll(async () => (await person.get('/api/account/data')).body.state, soon).toBe('ready')
  return unzipSync(await archiveOf(shop, person))
}
