import { unzipSync } from 'fflate'
import { expect } from 'vitest'
import type { Person, TestShop } from './shop.ts'

/** Downloads the data of a person. @returns file → content */
export async function download(shop: TestShop, person: Person): Promise<Record<string, Uint8Array>> {
  const response = await fetch(`${shop.address}/api/account/data`, { headers: { cookie: person.cookie } })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="my-data.zip"')
  return unzipSync(new Uint8Array(await response.arrayBuffer()))
}
