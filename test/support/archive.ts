import { expect } from 'vitest'
import type { Person, TestShop } from './shop.ts'

/** The ready data export of a user. @param secret of the link in a letter */
export async function archiveOf(
  { address }: Pick<TestShop, 'address'>,
  { cookie }: Person,
  secret?: string,
): Promise<Uint8Array> {
  const query = secret === undefined ? '' : `?archive=${secret}`
  const response = await fetch(`${address}/api/account/data/file${query}`, { headers: { cookie } })
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect([response.status, Object.fromEntries(response.headers)]).toEqual([
    200,
    expect.objectContaining({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="my-data.zip"',
      'content-length': String(bytes.length),
      'cache-control': 'no-store',
    }),
  ])
  return bytes
}
