import { afterAll, beforeAll, expect, test } from 'vitest'
import { OTHER_ACCOUNT } from '#accounts/other-account.ts'
import { removeOfDeleted, sweepFiles } from '#images/sweep.ts'
import { expectRefusal } from '../../../test/support/expect.ts'
import { aMug } from '../../../test/support/listings.ts'
import { formWith, send } from '../../../test/support/resilience/forms.ts'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop({ settings: { LIMITS: 'on', LIMIT_LISTINGS: '5' } })
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

const finished = { ...aMug, price: '24.50', stock: '3' }
const begin = async (fields: object = finished) =>
  (await ana.post('/api/drafts/', { fields })).body.id as number
const withPhoto = async (fields: object = finished) => {
  const id = await begin(fields)
  expect((await ana.upload(`/api/drafts/${id}/images`, pngOf(300, 200))).status).toBe(201)
  return id
}
const draft = async (id: number) => (await ana.get(`/api/drafts/${id}`)).body

test('texts may be longer than a listing takes them, up to 60,000 characters together', async () => {
  const id = await begin({ story: '🧶'.repeat(15_000), name: ` ${'x'.repeat(60)} ` })
  const { fields, missing } = await draft(id)
  expect([[...fields.story].length, fields.name.length]).toEqual([15_000, 62])
  expect(missing).toMatchObject({
    story: 'Story cannot be more than 5000 characters',
    name: 'Name cannot be more than 50 characters',
  })
  const refused = async (fields: unknown, message: string) => {
    expectRefusal(await ana.put(`/api/drafts/${id}`, { fields }), 400, message)
    expectRefusal(await ana.post('/api/drafts/', { fields }), 400, message)
  }
  const tooLong = 'A draft can have at most 60,000 characters. Please make its texts shorter'
  await refused({ name: 'x', story: '語'.repeat(60_000) }, tooLong)
  // Four bytes each, and six.
  const large = { fields: { story: '🧶'.repeat(19_900) + '\u0001'.repeat(40_100) } }
  const message = 'A draft can have at most 320 kB of text. Please make its texts shorter'
  expectRefusal(await ana.post('/api/drafts/', large), 413, message)
  await refused('name', 'Fields must be the texts of the form, and nothing else')
  await refused({ name: 7 }, 'Each field of a draft must be a text')
  await refused({ name: 'a\0b' }, 'A field of a draft contains characters that cannot be stored')
  expect((await draft(id)).version).toBe(1)
})

test('a price that can be read in two ways is not published, as the form does not take it', async () => {
  const id = await withPhoto({ ...finished, price: '1,500' })
  const message = 'Price cannot have more than two decimals'
  expect((await draft(id)).missing).toEqual({ price: message })
  expectRefusal(await ana.post(`/api/drafts/${id}/publish`), 400, message)
})

test('a repeated first save does not replace what another tab has saved since', async () => {
  const key = { 'idempotency-key': 'first-save' }
  const { id } = (await ana.post('/api/drafts/', { fields: { name: 'A' } }, key)).body
  await ana.put(`/api/drafts/${id}`, { fields: { name: 'B' } })
  const again = await ana.post('/api/drafts/', { fields: { name: 'C' } }, key)
  expectRefusal(again, 409, 'This draft was changed meanwhile')
  expect((await draft(id)).fields).toEqual({ name: 'B' })
})

test('a draft of another version is not deleted, and a published one says that it is', async () => {
  const id = await withPhoto()
  await ana.put(`/api/drafts/${id}`, { fields: { ...finished, name: 'B' } })
  const seen = { 'expected-version': '1' }
  const deleted = await ana.send({ method: 'DELETE', url: `/api/drafts/${id}`, headers: seen })
  expectRefusal(deleted, 409, 'This draft was changed meanwhile')
  expect((await ana.post(`/api/drafts/${id}/publish`)).status).toBe(201)
  const late = await ana.put(`/api/drafts/${id}`, { fields: { name: 'C' } })
  expectRefusal(late, 409, 'This draft was published meanwhile')
})

test('the reasons of many are named by field, and a limit that is reached stops only the rest', async () => {
  const bare = await begin({ ...finished, name: '' })
  const whole = [await withPhoto(), await withPhoto(), await withPhoto()]
  const { body } = await ana.post('/api/drafts/publish', { ids: [bare, ...whole] })
  expect(body.refused[0]).toEqual({
    id: bare,
    name: '',
    errors: ['Name is required', 'Photo or video is required'],
    fields: { name: 'Name is required', image: 'Photo or video is required' },
  })
  // Two were tried before, and a refused one counts too.
  expect(body.published.map(({ id }: { id: number }) => id)).toEqual(whole.slice(0, 2))
  expect(body.refused[1]).toMatchObject({ id: whole[2], errors: [expect.stringMatching(/^Too many tries/)] })
})

test('photos of a draft stay when unused files are swept', async () => {
  const id = await withPhoto()
  const [{ url }] = (await draft(id)).images
  await removeOfDeleted(shop.db, shop.files)
  const { files } = shop
  const all = { ...files, list: () => files.list(new Date(Date.now() + 60_000)), remove: files.remove }
  await sweepFiles(shop.db, all)
  expect((await ana.get(url)).status).toBe(200)
})

test('a new form in which nothing is typed is no draft', async () => {
  const page = await ana.get('/products/new', { accept: 'text/html' })
  const form = formWith('Save as a draft', page.body, '/products/new')
  const response = await send(ana, { ...form, fields: { ...form.fields, intent: 'save' } })
  expect(response.status).toBe(400)
  expect(response.body).toContain('There is nothing to save yet')
})

test('a form refuses to replace the draft of another tab once, keeps what was typed, and then replaces it', async () => {
  const id = await begin({ name: 'A' })
  const page = await ana.get(`/drafts/${id}`, { accept: 'text/html' })
  const form = formWith('Save the draft', page.body, `/drafts/${id}`)
  await ana.put(`/api/drafts/${id}`, { fields: { name: 'Other tab' } })
  const fields = { ...form.fields, intent: 'save', name: 'This tab' }
  const refused = await send(ana, { ...form, fields })
  expect(refused.status).toBe(409)
  expect(refused.body).toContain('What you typed is still here')
  expect((await draft(id)).fields.name).toBe('Other tab')
  const shown = formWith('Save the draft', refused.body, `/drafts/${id}`)
  expect(shown.fields).toMatchObject({ name: 'This tab', draft_version: '2' })
  expect((await send(ana, { ...shown, fields: { ...shown.fields, intent: 'save' } })).status).toBe(303)
  expect((await draft(id)).fields.name).toBe('This tab')
})

test('a draft is published without a section or postage profile that was deleted since', async () => {
  const ben = await shop.signUp('ben')
  const section = (await ben.post('/api/sections/', { name: 'Spring' })).body
  const fields = { ...finished, section_id: String(section.id), postage_profile_id: '999999999' }
  const { id } = (await ben.post('/api/drafts/', { fields })).body
  await ben.upload(`/api/drafts/${id}/images`, pngOf(300, 200))
  expect((await ben.delete(`/api/sections/${section.id}`)).status).toBe(200)
  const { status, body } = await ben.post(`/api/drafts/${id}/publish`)
  expect(status).toBe(201)
  const details = (await ben.get(`/api/products/${body.id}/details`)).body
  expect(details).toMatchObject({ section_id: null })
})

test('a draft that another account has begun is refused, and nothing is saved', async () => {
  const [eva, finn] = [await shop.signUp('eva'), await shop.signUp('finn')]
  const save = (by: Person, account: string) =>
    by.post('/api/drafts/', { fields: { name: 'Mug of Eva' } }, { 'expected-account': account })
  expectRefusal(await save(finn, String(eva.user.id)), 403, OTHER_ACCOUNT)
  expectRefusal(await save(finn, 'eva'), 400, 'Expected-Account must be the id of an account')
  expect((await finn.get('/api/drafts/')).body.drafts).toEqual([])
  expect((await save(eva, String(eva.user.id))).status).toBe(201)
})
