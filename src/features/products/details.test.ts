import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { formWith, openForm, send } from '../../../test/support/resilience/forms.ts'
import { aMug, openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
let ben: Person
beforeAll(async () => {
  shop = await openShop()
  ;[ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
})
afterAll(() => shop.close())

const sell = (fields: object) => ana.post('/api/products/', { ...aMug, ...fields })
const detailsOf = async (id: number) => (await ana.get(`/api/products/${id}/details`)).body

test.each([
  ['title', 140, 'Title'],
  ['story', 5_000, 'Story'],
  ['safety', 1_000, 'Warnings and safety information'],
  ['manufacturer', 600, 'Made by'],
])('%s: at most %i characters, counted by code point', async (field, max, label) => {
  for (const character of ['x', 'ß', '語', '🧶']) {
    const { body } = await sell({ [field]: character.repeat(max) })
    expect((await detailsOf(body.id))[field]).toBe(character.repeat(max))
    const longer = await sell({ [field]: character.repeat(max + 1) })
    expectRefusal(longer, 400, `${label} cannot be more than ${max} characters`)
  }
})

test.each([
  ['tags', 'tag', 20],
  ['materials', 'material', 45],
])('%s: at most 13, each once and of a limited length', async (field, one, max) => {
  const many = Array.from({ length: 13 }, (_, index) => `${index}`.padEnd(max, '語'))
  const { body } = await sell({ [field]: many })
  expect((await detailsOf(body.id))[field]).toEqual(many)
  const refused = async (value: unknown, message: string) =>
    expectRefusal(await sell({ [field]: value }), 400, message)
  await refused([...many, 'x'], `A listing can have at most 13 ${field}`)
  await refused(['x'.repeat(max + 1)], `A ${one} cannot be more than ${max} characters`)
  await refused(['clay', 'Clay'], `Each ${one} can be given once only`)
  await refused([' '], `A ${one} cannot be empty`)
  for (const text of ['a, b', 'a\nb'])
    await refused([text], `A ${one} cannot contain a comma or a line break`)
  await refused('clay', `${field === 'tags' ? 'Tags' : 'Materials'} must be a list`)
})

test.each([0, -1, 1.5, 1_000_001, '340', 1e21])('a weight of %s is refused', async weight_grams => {
  expectRefusal(
    await sell({ weight_grams }),
    400,
    'Weight must be a whole number of grams from 1 to 1,000,000',
  )
})

test('some sides may be unknown, and none is zero', async () => {
  const sized = async (dimensions: unknown) => sell({ dimensions })
  const scarf = { length_mm: 1_800, width_mm: 300, height_mm: null }
  expect((await detailsOf((await sized(scarf)).body.id)).dimensions).toEqual(scarf)
  const none = { length_mm: null, width_mm: null, height_mm: null }
  for (const nothing of [null, none])
    expect((await detailsOf((await sized(nothing)).body.id)).dimensions).toBeNull()
  const wrong = 'Width must be a whole number of millimetres from 1 to 100,000'
  for (const width_mm of [0, 0.5, 100_001]) expectRefusal(await sized({ ...scarf, width_mm }), 400, wrong)
})

test('nobody can use another maker’s section', async () => {
  const section = (await ben.post('/api/sections/', { name: 'Bowls' })).body.id
  const { body: mug } = await sell({})
  const refusal = 'There is no such section of yours; choose another one'
  expectRefusal(await sell({ section_id: section }), 400, refusal)
  const change = { ...aMug, section_id: section }
  expectRefusal(await ana.put(`/api/products/${mug.id}`, change), 400, refusal)
  expectRefusal(await ben.put(`/api/products/${mug.id}`, change), 403, 'Only its seller may change a listing')
  expect(await detailsOf(mug.id)).toMatchObject({ section_id: null, section: null })
})

test('the form takes centimetres, and words between commas', async () => {
  const { id } = await shop.list(ana)
  const form = await openForm(ana, `/products/${id}/edit`, 'Update listing')
  const typed = (fields: object) => send(ana, { ...form, fields: { ...form.fields, ...fields } })
  const fields = {
    ...{ tags: ' tea  mug,, Tea mug ,oak', materials: 'Clay,\r\nash glaze' },
    ...{ length_cm: '12,5', width_cm: '8', height_cm: '', weight_grams: ' 340 ' },
  }
  expect((await typed(fields)).status).toBe(303)
  expect(await detailsOf(id)).toMatchObject({
    tags: ['tea mug', 'oak'],
    materials: ['Clay', 'ash glaze'],
    dimensions: { length_mm: 125, width_mm: 80, height_mm: null },
    weight_grams: 340,
  })
})

test('a refused form keeps everything typed, says what is wrong, and its group is open', async () => {
  const { id } = await shop.list(ana)
  const form = await openForm(ana, `/products/${id}/edit`, 'Update listing')
  const wrong = {
    ...{ tags: 'x'.repeat(21), story: 'One\n\n- two', weight_grams: 'heavy' },
    ...{ length_cm: '1.25', width_cm: '0', height_cm: '10001' },
  }
  const refused = await send(ana, { ...form, fields: { ...form.fields, ...wrong } })
  expect(refused.status).toBe(400)
  for (const message of [
    'A tag cannot be more than 20 characters',
    'Weight must be a whole number of grams from 1 to 1,000,000',
    'Length must be from 0.1 to 10,000 cm, with at most one decimal',
    'Width must be from 0.1 to 10,000 cm, with at most one decimal',
    'Height must be from 0.1 to 10,000 cm, with at most one decimal',
  ])
    expect(refused.body).toContain(message)
  const { fields } = formWith('Update listing', refused.body, '/')
  expect(fields).toMatchObject(wrong)
  const groups = [...refused.body.matchAll(/<details class="group"([^>]*)><summary>([^<]*)/g)]
  expect(groups.map(([, open, title]) => [title, open])).toEqual([
    ['More about it', ' open=""'],
    ['Size and weight', ' open=""'],
    ['Product safety', ''],
    ['Section', ''],
    ['Variations', ''],
    ['Personalisation', ''],
  ])
  expect((await detailsOf(id)).story).toBe('')
})

test('the page shows story, title, facts, and tags that lead to the search', async () => {
  const { body: mug } = await sell({
    title: 'Speckled mug with a round handle',
    story: 'Thrown <b>by hand</b>.\nSlowly.\n\n- glazed\n* fired',
    tags: ['tea & milk'],
    materials: ['Clay', 'Ash'],
    weight_grams: 1_250,
    dimensions: { length_mm: 125, width_mm: 80, height_mm: null },
  })
  const { body } = await shop.visitor().get(`/products/${mug.id}/speckled-mug`, { accept: 'text/html' })
  for (const html of [
    '<p class="whole-title" dir="auto">Speckled mug with a round handle</p>',
    '<p class="paragraph" dir="auto">Thrown &lt;b&gt;by hand&lt;/b&gt;.\nSlowly.</p>',
    '<ul class="entries"><li dir="auto">glazed</li><li dir="auto">fired</li></ul>',
    '<dt>Materials</dt><dd dir="auto">Clay, Ash</dd>',
    '<dt>Size</dt><dd dir="auto">length 12.5 cm, width 8 cm</dd>',
    '<dt>Weight</dt><dd dir="auto">1.25 kg</dd>',
    'href="/search?q=tea+%26+milk"',
  ])
    expect(body).toContain(html)
  const plain = (await sell({ title: aMug.name })).body
  const page = (await shop.visitor().get(`/products/${plain.id}/speckled-mug`, { accept: 'text/html' })).body
  expect(page).not.toContain('About this piece')
  expect(page).not.toContain('whole-title')
})

test('feeds have the tags beside the category', async () => {
  const { body: mug } = await sell({ tags: ['wood fired', 'oak'] })
  const { body } = await shop.visitor().get('/feeds/listings.json?limit=1')
  const feed = typeof body === 'string' ? JSON.parse(body) : body
  expect(feed.items[0].tags).toEqual([mug.category, 'wood fired', 'oak'])
})
