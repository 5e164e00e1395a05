import { strFromU8 } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweepLimits } from '#platform/http/rate-limit.ts'
import { times } from '../support/expect.ts'
import { download } from '../support/own-data.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop({ signups: true })
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

test('the download is for its owner, three times a day, and for no other site', async () => {
  expect((await shop.visitor().get('/api/account/data')).status).toBe(401)
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-purpose': 'prefetch' }] as Record<
    string,
    string
  >[])
    expect((await ana.get('/api/account/data', headers)).status).toBe(403)
  expect((await ana.send({ method: 'HEAD', url: '/api/account/data' })).status).toBe(405)
  const strict = await openShop({ settings: { LIMITS: 'on' } })
  try {
    const eva = await strict.signUp('eva')
    for (let n = 0; n < 3; n++) expect((await eva.get('/api/account/data')).status).toBe(200)
    const refused = await eva.get('/api/account/data')
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    const { status, headers } = await eva.get('/api/account/data', { accept: 'text/html' })
    expect([status, headers.location]).toEqual([303, '/settings/account?done=later'])
    expect((await eva.get('/settings/account?done=later')).body).toContain('three times a day')
    // The cleanup of the hour keeps the count of the day.
    await sweepLimits(strict.db)
    expect((await eva.get('/api/account/data')).status).toBe(429)
  } finally {
    await strict.close()
  }
})

test('an empty account has a download too, and many at once are whole', async () => {
  const people = await times(6, n => shop.signUp(`p${n}`))
  const all = await Promise.all(people.map(person => download(shop, person)))
  for (const [n, files] of all.entries()) {
    expect(Object.keys(files).sort()).toEqual(['READ ME.txt', 'data.json'])
    const data = JSON.parse(strFromU8(files['data.json'] ?? new Uint8Array()))
    expect(data).toMatchObject({ account: people[n]?.user, listings: [], orders: [], shop: null })
  }
})
