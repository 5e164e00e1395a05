import { createHash } from 'node:crypto'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { archiveOf } from '../../../test/support/archive.ts'
import { DataExports } from '../../../test/support/data-exports.ts'
import { expectRefusal, soon, times } from '../../../test/support/expect.ts'
import { wholeWindow } from '../../../test/support/scenario.ts'
import { openShop, type Person } from '../../../test/support/shop.ts'
import { sendAgain } from '../../../test/support/shop-with-mail.ts'

const NO_ARCHIVE = 'There is no such archive. Archives are deleted after 24 hours'

const own = new DataExports()
const { statusOf, file, becomes, rowOf, archivesIn, ready, letterTo } = own

test('an archive is requested, made, announced by letter and downloaded for 24 hours', async () => {
  const ana = await own.shop.signUp('ana')
  expect(await statusOf(ana)).toEqual({
    state: 'none',
    bytes: null,
    expires_at: null,
    again_at: null,
    by_letter: true,
  })
  expectRefusal(await file(ana), 404, NO_ARCHIVE)
  const asked = await ana.post('/api/account/data')
  expect(asked).toMatchObject({ status: 201, body: { state: 'making', bytes: null } })
  await becomes(ana, 'ready')
  const { bytes, expires_at } = await statusOf(ana)
  const hours = (Date.parse(expires_at) - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(23.9)
  expect(hours).toBeLessThanOrEqual(24.01)
  const archive = await archiveOf(own.shop, ana)
  expect(archive.length).toBe(bytes)
  expect(JSON.parse(strFromU8(unzipSync(archive)['data.json'] ?? new Uint8Array())).account).toMatchObject(
    ana.user,
  )
  const { text, secret } = await letterTo(ana)
  expect(text).toContain(`Hello ${ana.user.first_name},`)
  expect(text).toContain(`http://shop.example/settings/account?archive=${secret}`)
  expect(await archiveOf(own.shop, ana, secret)).toEqual(archive)
})

test('a letter has a secret of 256 bits, and only its hash is stored', async () => {
  const ana = await ready()
  const { secret } = await letterTo(ana)
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  const [hash] = (await rowOf(ana)).link_hashes
  expect(hash).toEqual(createHash('sha256').update(secret).digest())
  const everything = JSON.stringify([await own.shop.rows('select * from outbox'), await rowOf(ana)])
  expect(everything).not.toContain(secret)
  // A second letter, because the server did not confirm the first.
  const old = secret
  own.mail.letters.splice(0)
  await sendAgain(own.shop, `recipient = ${ana.user.id}`)
  const again = await letterTo(ana)
  expect(again.secret).not.toBe(old)
  for (const each of [old, again.secret]) expect((await file(ana, each)).status).toBe(200)
})

test('an archive opens to its own account alone, with or without the link of its letter', async () => {
  const [ana, ben] = [await ready('ana'), await ready('ben')]
  const { secret } = await letterTo(ana)
  const { secret: bens } = await letterTo(ben)
  expectRefusal(await file(own.shop.visitor(), secret), 401, 'Please log in')
  expectRefusal(await file(ben, secret), 404, NO_ARCHIVE)
  expectRefusal(await ben.get(`/api/account/data?archive=${secret}`), 404, NO_ARCHIVE)
  for (const wrong of [bens, secret.slice(1), 'none', '', '%00', 'x'.repeat(200)])
    expectRefusal(await file(ana, wrong), 404, NO_ARCHIVE)
  expect((await own.shop.visitor().get('/api/account/data')).status).toBe(401)
  expect((await own.shop.visitor().post('/api/account/data')).status).toBe(401)
  expect((await file(ana, undefined, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await ana.send({ method: 'HEAD', url: '/api/account/data/file' })).status).toBe(405)
  // Neither at the address of pictures.
  const { folder } = await rowOf(ana)
  for (const path of [`${folder}/000001`, `private/${folder}/000001`, `..%2fprivate%2f${folder}/000001`])
    expect((await ana.get(`/images/${path}`)).status).toBe(404)
})

test('a browser is redirected to a page that shows why there is no download', async () => {
  const ana = await own.shop.signUp('ana')
  const html = { accept: 'text/html,*/*' }
  const leadsTo = async (person: Person, secret?: string) => {
    const { status, headers } = await file(person, secret, html)
    expect(status).toBe(303)
    return headers.location
  }
  expect(await leadsTo(own.shop.visitor(), 'abc')).toBe('/login?next=%2Fsettings%2Faccount%3Farchive%3Dabc')
  expect(await leadsTo(ana)).toBe('/settings/account?archive=none')
  expect(await leadsTo(ana, 'abc')).toBe('/settings/account?archive=abc')
  const page = await ana.get('/settings/account?archive=abc')
  expect(page.status).toBe(404)
  expect(page.body).toContain('This link leads to nothing in your account')
  expect((await own.shop.visitor().get('/settings/account?archive=abc')).headers.location).toBe(
    '/login?next=%2Fsettings%2Faccount%3Farchive%3Dabc',
  )
})

test('two requests at once make one archive and one letter', async () => {
  const ana = await own.shop.signUp('ana')
  const responses = await times(8, () => ana.post('/api/account/data'))
  expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(201))
  await becomes(ana, 'ready')
  await letterTo(ana)
  expect((await own.shop.rows(`select from outbox where recipient = ${ana.user.id}`)).length).toBe(1)
  expect((await rowOf(ana)).tries).toBe(1)
})

test('one archive a day: a second request returns when the next one is possible', async () => {
  await wholeWindow('daily_exports', 20_000)
  const strict = await openShop({ settings: { LIMITS: 'on' } })
  try {
    const ana = await strict.signUp('ana')
    const responses = await times(4, () => ana.post('/api/account/data'))
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    await becomes(ana, 'ready')
    const { again_at } = await statusOf(ana)
    expect(again_at).toMatch(/T00:00:00\.000Z$/)
    const refused = await ana.post('/api/account/data')
    const day = again_at.slice(0, 10)
    expectRefusal(
      refused,
      429,
      `You have asked for your data today. You can ask again after ${day} 00:00 UTC`,
    )
    const wait = Number(refused.headers['retry-after'])
    expect(Math.abs(wait - (Date.parse(again_at) - Date.now()) / 1000)).toBeLessThan(5)
    // The archive is still there.
    expect((await file(ana)).status).toBe(200)
    // The next day.
    await strict.rows(`update rate_limits set window_start = window_start - interval '1 day'`)
    expect((await statusOf(ana)).again_at).toBe(null)
    expect((await ana.post('/api/account/data')).body.state).toBe('making')
    await becomes(ana, 'ready')
    await expect.poll(() => archivesIn(strict), soon).toHaveLength(1)
  } finally {
    await strict.close()
  }
})

test('the demo account has no archive', async () => {
  const demo = await own.shop.signUp('demo')
  await own.shop.rows(`update users set email = 'demo@example.com' where id = ${demo.user.id}`)
  const refused = await demo.post('/api/account/data')
  expectRefusal(refused, 403, 'The demo account is everybody’s: it stays as it is')
  const { status, body } = await demo.get('/settings/account')
  expect([status, String(body).includes('Your data')]).toEqual([200, false])
  await own.shop.rows(`update users set email = 'no-demo@example.com' where id = ${demo.user.id}`)
})
