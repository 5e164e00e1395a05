import { expect, onTestFinished, test } from 'vitest'
import { unsubscribePath } from '#platform/mail/unsubscribe.ts'
import { expectRefusal, soon } from '../../../test/support/expect.ts'
import { OptionalLetters, UNWANTED } from '../../../test/support/optional-letters.ts'
import { openShop } from '../../../test/support/shop.ts'

const WRONG = 'This link is not whole. Please copy all of it from the letter'

const letters = new OptionalLetters()
const { to, review, subjectsOf, arrives, linkTo, offOf, oneClick, rows } = letters

test('one click in a mail program switches letters off, and a second one changes nothing', async () => {
  const ana = await letters.shop.signUp('ana')
  await review(ana, 'Mug')
  await arrives(ana, 'A review of Mug')
  const link = new URL(/List-Unsubscribe: <(.*)>/.exec(to(ana)[0]?.raw ?? '')?.[1] ?? '')
  for (let clicks = 0; clicks < 2; clicks++) {
    const { status, body, headers } = await oneClick(link.pathname)
    // A redirect would not be followed (RFC 8058).
    expect([status, headers['set-cookie']]).toEqual([200, undefined])
    expect(body).toContain('You get no more letters about reviews of your pieces.')
    expect(body).toContain('href="/settings/letters"')
    expect(await offOf(ana)).toEqual(['review'])
  }
  await review(ana, 'Bowl')
  await expect.poll(async () => (await rows(ana)).filter(({ sent_at }) => !sent_at), soon).toEqual([UNWANTED])
  expect(subjectsOf(ana)).toEqual(['A review of Mug'])
  await ana.put('/api/letters/', { off: [] })
  expect(await offOf(ana)).toEqual([])
})

test('the click may come from another site and as any form, at this address alone', async () => {
  for (const headers of [
    { origin: 'https://mail.example' },
    { 'sec-fetch-site': 'cross-site', origin: 'null' },
    { referer: 'https://mail.example/inbox' },
  ] as Record<string, string>[]) {
    const ana = await letters.shop.signUp('ana')
    expect((await oneClick(await linkTo(ana), headers)).status).toBe(200)
    expect(await offOf(ana)).toEqual(['review'])
    for (const url of ['/settings/letters', '/notifications', '/letters/off', '/cart']) {
      const { status } = await ana.send({
        method: 'POST',
        url,
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'kind=reply',
      })
      expect([url, status]).toEqual([url, 403])
    }
    expect((await letters.shop.visitor().post(`/api${await linkTo(ana)}`, undefined, headers)).status).toBe(
      403,
    )
    expect(await offOf(ana)).toEqual(['review'])
  }
  const ana = await letters.shop.signUp('ana')
  const form = new FormData()
  form.set('List-Unsubscribe', 'One-Click')
  const encoded = new Response(form)
  const { status } = await letters.shop.visitor().send({
    method: 'POST',
    url: await linkTo(ana),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  expect([status, await offOf(ana)]).toEqual([200, ['review']])
})

test('opening the link changes nothing, as programs do that check mail', async () => {
  const ana = await letters.shop.signUp('ana')
  const link = await linkTo(ana)
  for (const person of [letters.shop.visitor(), letters.ben, ana]) {
    for (const method of ['GET', 'HEAD'] as const) {
      const { status } = await person.send({ method, url: link })
      expect(status).toBe(200)
    }
    expect((await person.get(link)).body).toContain(
      'Do you want no more letters about reviews of your pieces?',
    )
    expect((await person.get(`/api${link}`)).body).toEqual({ about: 'reviews of your pieces' })
  }
  expect(await offOf(ana)).toEqual([])
})

test('a link that the shop has not signed is refused, and changes nothing', async () => {
  const [ana, eve] = [await letters.shop.signUp('ana'), await letters.shop.signUp('eve')]
  const [, token = ''] = /off\/(.+)/.exec(await linkTo(ana)) ?? []
  const [user, kind = '', signature = ''] = token.split('.')
  const other = await openShop()
  onTestFinished(() => other.close())
  // Databases of tests are copies of one.
  await other.rows(`update installation set link_key = sha256('another')`)
  const foreign = await unsubscribePath(other.db, { recipient: ana.user.id, kind: 'review' })
  const flipped = signature.replace(/^./, first => (first === 'A' ? 'B' : 'A'))
  const links: [wrong: string, status: number][] = [
    [`${user}.${kind}.${flipped}`, 403],
    [`${user}.reply.${signature}`, 403],
    [`${eve.user.id}.${kind}.${signature}`, 403],
    [foreign.split('/').at(-1) ?? '', 403],
    [`${user}.${kind}.${signature.slice(0, -1)}`, 404],
    [`${user}.${kind}.${signature}A`, 404],
    [`${user}.${kind}.`, 404],
    [`0${user}.${kind}.${signature}`, 404],
    [`${user}.${kind.toUpperCase()}.${signature}`, 404],
    ['x', 404],
  ]
  for (const [wrong, status] of links) {
    for (const page of [
      await oneClick(`/letters/off/${wrong}`),
      await letters.shop.visitor().get(`/letters/off/${wrong}`),
    ]) {
      expect([wrong, page.status]).toEqual([wrong, status])
      expect(page.body).toContain(WRONG)
    }
    const words = status === 403 ? WRONG : 'There is nothing at this address'
    expectRefusal(await ana.post(`/api/letters/off/${wrong}`), status, words)
    expectRefusal(await ana.get(`/api/letters/off/${wrong}`), status, words)
  }
  expect([await offOf(ana), await offOf(eve)]).toEqual([[], []])
})

test('wrong links of one network are counted, right ones are not', async () => {
  const strict = await openShop({ settings: { LIMITS: 'on', LIMIT_CHANGES: '2' } })
  onTestFinished(() => strict.close())
  const ana = await strict.signUp('ana')
  const right = `/api${await unsubscribePath(strict.db, { recipient: ana.user.id, kind: 'review' })}`
  const statusOf = async (url: string) => (await strict.visitor().post(url)).status
  const wrong = right.replace('.review.', '.reply.')
  for (const status of [403, 403, 429]) expect(await statusOf(wrong)).toBe(status)
  for (let clicks = 0; clicks < 4; clicks++) expect(await statusOf(right)).toBe(200)
  expect((await ana.get('/api/letters/')).body.letters[0]).toMatchObject({ kind: 'review', on: false })
})

test('the link of a deleted account does nothing', async () => {
  const ana = await letters.shop.signUp('ana')
  const link = await linkTo(ana)
  const response = await ana.post('/api/account/deletion', {
    current_password: ana.password,
    reviews: 'keep',
  })
  expect(response.status).toBe(200)
  expect((await oneClick(link)).status).toBe(200)
  expect(await letters.shop.rows(`select * from letters_off where user_id = ${ana.user.id}`)).toEqual([])
})
