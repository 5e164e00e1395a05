import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { unsubscribePath } from '#platform/mail/unsubscribe.ts'
import { expectRefusal, soon } from '../../../test/support/expect.ts'
import { type MailServer, openMailServer } from '../../../test/support/mail-server.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

const AT = 'https://shop.example'
const WRONG = 'This link is not whole. Please copy all of it from the letter'
let mail: MailServer
let shop: TestShop
let ben: Person
let folder: string
beforeAll(async () => {
  mail = await openMailServer()
  folder = await mkdtemp(join(tmpdir(), 'dkim-'))
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const DKIM_KEY_FILE = join(folder, 'key.pem')
  await writeFile(DKIM_KEY_FILE, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const dkim = { DKIM_SELECTOR: 'mail', DKIM_KEY_FILE }
  shop = await openShop({ settings: { ...mail.settings, ...dkim, PUBLIC_URL: AT }, confirmed: true })
  ben = await shop.signUp('ben')
})
afterAll(async () => {
  await shop.close()
  await mail.stop()
  await rm(folder, { recursive: true })
})

/** Letters to somebody, oldest first. */
const to = ({ user }: Person) => mail.letters.filter(({ recipients }) => recipients.includes(user.email))
/** Ben reviews a new listing of hers. */
async function review(maker: Person, name: string): Promise<void> {
  const { id } = await shop.list(maker, { name })
  const { status } = await ben.post(`/api/reviews/${id}/create-review`, { review: 'Good.', stars: 4 })
  expect(status).toBe(201)
}
const subjectsOf = (person: Person) => to(person).map(({ subject }) => subject)
const arrives = (person: Person, subject: string) =>
  expect.poll(() => subjectsOf(person), soon).toContainEqual(expect.stringContaining(subject))
const linkTo = ({ user }: Person, kind = 'review') => unsubscribePath(shop.db, { recipient: user.id, kind })
/** The kinds that somebody has switched off. */
const offOf = async (person: Person) =>
  (await person.get('/api/letters/')).body.letters
    .filter(({ on }: { on: boolean }) => !on)
    .map(({ kind }: { kind: string }) => kind)
/** The form that mail services send: no cookie, and no header that browsers send. */
const oneClick = (path: string, headers: Record<string, string> = {}) =>
  shop.visitor().send({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: 'List-Unsubscribe=One-Click',
  })
/** States of the rows to somebody about reviews. */
const rows = ({ user }: Person) =>
  shop.rows(
    `select due_at, sent_at, failed_at, notify from outbox where recipient = ${user.id} and kind = 'review'`,
  )
const UNWANTED = { due_at: null, sent_at: null, failed_at: null, notify: true }

test('one click in a mail program switches letters off, and a second one changes nothing', async () => {
  const ana = await shop.signUp('ana')
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
    const ana = await shop.signUp('ana')
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
    expect((await shop.visitor().post(`/api${await linkTo(ana)}`, undefined, headers)).status).toBe(403)
    expect(await offOf(ana)).toEqual(['review'])
  }
  const ana = await shop.signUp('ana')
  const form = new FormData()
  form.set('List-Unsubscribe', 'One-Click')
  const encoded = new Response(form)
  const { status } = await shop.visitor().send({
    method: 'POST',
    url: await linkTo(ana),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  expect([status, await offOf(ana)]).toEqual([200, ['review']])
})

test('opening the link changes nothing, as programs do that check mail', async () => {
  const ana = await shop.signUp('ana')
  const link = await linkTo(ana)
  for (const person of [shop.visitor(), ben, ana]) {
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
  const [ana, eve] = [await shop.signUp('ana'), await shop.signUp('eve')]
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
      await shop.visitor().get(`/letters/off/${wrong}`),
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
  const ana = await shop.signUp('ana')
  const link = await linkTo(ana)
  const answer = await ana.post('/api/account/deletion', { current_password: ana.password, reviews: 'keep' })
  expect(answer.status).toBe(200)
  expect((await oneClick(link)).status).toBe(200)
  expect(await shop.rows(`select * from letters_off where user_id = ${ana.user.id}`)).toEqual([])
})
