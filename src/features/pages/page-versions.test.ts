import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { openOperator } from '../../../test/support/operators.ts'
import { openForm, send } from '../../../test/support/resilience/forms.ts'
import { openShop, type Person, type TestResponse, type TestShop } from '../../../test/support/shop.ts'
import { SAVED_MEANWHILE, SLUGS, type Slug, TEXT_LENGTH, UNKNOWN_PAGE } from './contract.ts'
import { drafts } from './drafts.ts'
import { blanksOf } from './markdown.ts'

let shop: TestShop
let otto: Person
beforeAll(async () => {
  shop = await openShop()
  otto = await openOperator(shop)
})
afterAll(() => shop.close())

const at = (slug: Slug) => `/api/operate/pages/${slug}`
const edited = async (slug: Slug, version?: number) =>
  (await otto.get(at(slug) + (version ? `?version=${version}` : ''))).body
const save = async (slug: Slug, text: string, by = otto) => {
  const { base } = await edited(slug)
  return by.post(`${at(slug)}/versions`, { text, base })
}
const publish = (slug: Slug, version: number) =>
  otto.post(`${at(slug)}/publish`, { version, reason: 'The meeting' })
const takeBack = (slug: Slug) => otto.post(`${at(slug)}/take-back`, { reason: 'It is old' })
beforeEach(async () => {
  for (const { slug } of (await otto.get('/api/pages/')).body.pages) await takeBack(slug)
})

test('to begin with there are drafts with blanks, which nobody else sees', async () => {
  const { pages } = (await otto.get('/api/operate/pages')).body
  expect(pages.map(({ slug }: { slug: string }) => slug)).toEqual(SLUGS)
  for (const slug of SLUGS) {
    expect(blanksOf(drafts[slug]).length).toBeGreaterThan(0)
    const page = await edited(slug)
    expect(page).toMatchObject({ published_at: null, has_draft: true, text: drafts[slug] })
    expect(page.blanks).toEqual(blanksOf(drafts[slug]))
    expectRefusal(await shop.visitor().get(`/api/pages/${slug}`), 404, UNKNOWN_PAGE)
  }
  expect((await shop.visitor().get('/api/pages/')).body).toEqual({ pages: [] })
})

test('a draft is saved, published, changed behind what everybody reads, and taken back', async () => {
  const { status, body } = await save('about', '# Us\n\nWe *knit*.')
  expect(status).toBe(201)
  expectRefusal(await shop.visitor().get('/api/pages/about'), 404, UNKNOWN_PAGE)
  expect((await publish('about', body.id)).status).toBe(200)
  const read = async () => (await shop.visitor().get('/api/pages/about')).body
  expect(await read()).toMatchObject({ slug: 'about', title: 'About us' })
  expect((await read()).content[0]).toEqual({ kind: 'begin', tag: 'h2' })
  const next = await save('about', 'We weave.')
  expect(JSON.stringify(await read())).not.toContain('weave')
  expect(await edited('about')).toMatchObject({
    has_draft: true,
    text: 'We weave.',
    published_version: body.id,
  })
  await publish('about', next.body.id)
  expect(JSON.stringify(await read())).toContain('weave')
  expect((await shop.visitor().get('/api/pages/')).body.pages).toEqual([{ slug: 'about', title: 'About us' }])
  expect((await takeBack('about')).status).toBe(200)
  expectRefusal(await shop.visitor().get('/api/pages/about'), 404, UNKNOWN_PAGE)
  expectRefusal(await takeBack('about'), 409, 'This page is not published')
  for (const path of ['publish', 'take-back', 'agreement']) {
    const sent = { version: body.id, agreed_at_signup: true, reason: '' }
    const response = await otto[path === 'agreement' ? 'put' : 'post'](`${at('about')}/${path}`, sent)
    expectRefusal(response, 400, 'Please give a reason')
  }
  const entries = await shop.rows(
    `select action, reason from operator_log where action like 'page-%' order by id`,
  )
  expect(entries.slice(-3)).toEqual([
    { action: 'page-published', reason: `About us, version ${body.id}: The meeting` },
    { action: 'page-published', reason: `About us, version ${next.body.id}: The meeting` },
    { action: 'page-taken-back', reason: `About us, version ${next.body.id}: It is old` },
  ])
})

test('a text with blanks is saved and not published', async () => {
  const { body } = await save('imprint', 'By [name].')
  const refusal = 'Please fill in what is in brackets first: [name]'
  expectRefusal(await publish('imprint', body.id), 409, refusal)
  expectRefusal(await shop.visitor().get('/api/pages/imprint'), 404, UNKNOWN_PAGE)
})

test('whoever saves over a draft that somebody else has saved meanwhile is told, and nothing is lost', async () => {
  const olga = await openOperator(shop, 'olga')
  const { base } = await edited('terms')
  const both = await Promise.all(
    [otto, olga].map((by, i) => by.post(`${at('terms')}/versions`, { text: `Draft ${i}`, base })),
  )
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  const [late] = both.filter(({ status }) => status === 409)
  expectRefusal(late as TestResponse, 409, SAVED_MEANWHILE)
  const { versions } = await edited('terms')
  expect(versions).toHaveLength(1)
})

test('the history has who and when, and shows an older text; a version of another page is none', async () => {
  const first = (await save('contact', 'Write to us.')).body.id
  const second = (await save('contact', 'Call us.')).body.id
  const page = await edited('contact', first)
  expect(page).toMatchObject({ text: 'Write to us.', shown: first, base: second })
  expect(page.versions.map(({ id }: { id: number }) => id)).toEqual([second, first])
  expect(page.versions[0].author).toBe(`${otto.user.first_name} ${otto.user.last_name}`)
  expectRefusal(await otto.get(`${at('privacy')}?version=${first}`), 404, 'There is no such version')
  expectRefusal(await publish('privacy', first), 404, 'There is no such version')
  const never = 'what stands in page_versions is never rewritten'
  await expect(shop.rows(`update page_versions set text = 'x'`)).rejects.toThrow(never)
  await expect(shop.rows('delete from page_versions')).rejects.toThrow(never)
})

test('a text that nobody has changed adds no version, and an older one does', async () => {
  const idsIn = async () => (await edited('contact')).versions.map(({ id }: { id: number }) => id)
  const first = (await save('contact', 'Ring twice.')).body.id
  await publish('contact', first)
  const before = await idsIn()
  const olga = await openOperator(shop, 'olga')
  for (const by of [otto, olga]) {
    const { status, body } = await save('contact', 'Ring twice.\n', by)
    expect([status, body]).toEqual([201, { id: first }])
  }
  expect(await idsIn()).toEqual(before)
  expect((await edited('contact')).has_draft).toBe(false)
  const second = (await save('contact', 'Knock.')).body.id
  const third = (await save('contact', 'Ring twice.')).body.id
  expect(await idsIn()).toEqual([third, second, ...before])
})

test('the button that saves the draft saves the tick alone, without a version', async () => {
  const path = '/operate/pages/delivery-and-returns'
  const { id } = (await save('delivery-and-returns', 'By post.')).body
  await publish('delivery-and-returns', id)
  for (const agreed of [true, false]) {
    const { action, fields } = await openForm(otto, path, 'Save the draft')
    const { agreed_at_signup: _, ...others } = fields
    const form = {
      action,
      fields: { ...others, intent: 'save', reason: 'The law', ...(agreed && { agreed_at_signup: 'on' }) },
    }
    expect((await send(otto, form)).headers.location).toBe(`${path}?done=saved`)
    const page = await edited('delivery-and-returns')
    expect(page).toMatchObject({ agreed_at_signup: agreed, has_draft: false })
    expect(page.versions).toHaveLength(1)
  }
})

test('an older form publishes no version that it has not seen', async () => {
  const path = '/operate/pages/terms'
  const { id } = (await save('terms', 'One.')).body
  const { action, fields } = await openForm(otto, path, 'Publish')
  const newest = (await save('terms', 'Two.')).body.id
  await publish('terms', newest)
  const form = { action, fields: { ...fields, intent: 'publish', reason: 'The meeting' } }
  const refused = await send(otto, form)
  expect([refused.status, refused.body.includes('saved this page meanwhile')]).toEqual([409, true])
  expect(await edited('terms')).toMatchObject({ published_version: newest })
  // An older version can be chosen on purpose.
  const older = await openForm(otto, `${path}?version=${id}`, 'Publish')
  const chosen = { ...older, fields: { ...older.fields, intent: 'publish', reason: 'The meeting' } }
  expect((await send(otto, chosen)).headers.location).toBe(`${path}?done=published`)
  expect(await edited('terms')).toMatchObject({ published_version: id })
})

test('a long text is taken, one that is longer is not', async () => {
  expect((await save('privacy', 'ä\n'.repeat(TEXT_LENGTH / 2 - 1))).status).toBe(201)
  const tooLong = `Text cannot be more than ${TEXT_LENGTH} characters`
  expectRefusal(await save('privacy', 'a'.repeat(TEXT_LENGTH + 1)), 400, tooLong)
  expectRefusal(await save('privacy', ' \n '), 400, 'Please write something')
})

test('the preview shows what would be read, and stores nothing', async () => {
  const before = await shop.rows('select count(*) from page_versions')
  const { body } = await otto.post('/api/operate/pages/preview', { text: '<b>x</b> [name]' })
  expect(body).toEqual({
    content: [
      { kind: 'begin', tag: 'p' },
      { kind: 'words', words: '<b>x</b> [name]' },
      { kind: 'end', tag: 'p' },
    ],
    blanks: ['[name]'],
  })
  expect(await shop.rows('select count(*) from page_versions')).toEqual(before)
})

test('only operators read drafts and write', async () => {
  const [{ count }] = await shop.rows('select count(*) from page_versions')
  const rosa = await shop.signUp('rosa')
  const body = { text: 'Mine now', base: null, version: 7 }
  for (const path of ['preview', 'about/versions', 'about/publish', 'about/take-back']) {
    expect((await shop.visitor().post(`/api/operate/pages/${path}`, body)).status).toBe(401)
    expect((await rosa.post(`/api/operate/pages/${path}`, body)).status).toBe(404)
  }
  expect((await rosa.get(at('about'))).status).toBe(404)
  expect((await otto.get('/api/operate/pages/cart')).status).toBe(404)
  expect(await shop.rows('select count(*) from page_versions')).toEqual([{ count }])
})
