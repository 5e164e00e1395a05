import { afterAll, beforeAll, expect, test } from 'vitest'
import { ListingFields, RequiredFields } from '#products/contract.ts'
import { Details } from '#products/details-contract.ts'
import { DETAIL_LABELS, EMPTY_DETAILS, textsOf } from '#products/form-details.ts'
import { SIDES } from '#products/sides.ts'
import { aMug, itsDetails, labels, mugSaying } from '../support/listings.ts'
import { openForm, send } from '../support/resilience/forms.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'
import { textFieldsOf } from '../support/text-fields.ts'

// What every field of a listing needs. The fields come from the contract: a new one is tested without a change here.

let shop: TestShop
let ana: Person
let section: number
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
  section = (await ana.post('/api/sections/', { name: 'Mugs' })).body.id
})
afterAll(() => shop.close())

const fields = Object.keys(RequiredFields.shape)
// With variations a listing has another price and stock: src/features/products/combinations.test.ts.
const details = Object.keys(Details.shape).filter(field => field !== 'variations')
const texts = Object.keys(textFieldsOf(RequiredFields))
const textFields = (input: object) =>
  Object.fromEntries(Object.entries(input).filter(([field]) => texts.includes(field)))
/** Other values than the mug's, in every required field. */
const other = {
  ...mugSaying(field => `Another ${field}`),
  category: 'Art & Collectibles',
  price: 1,
  stock: 6,
}
const detailsAt = async (id: number) => {
  const { section: _, ...details } = (await ana.get(`/api/products/${id}/details`)).body
  return details
}
const found = async (word: string): Promise<number[]> =>
  (await shop.visitor().get(`/api/products/?q=${word}`)).body.products.map(({ id }: { id: number }) => id)

/** Details by which a listing is not found. */
const NOT_SEARCHED = [
  'story',
  'safety',
  'manufacturer',
  'weight_grams',
  'dimensions',
  'section_id',
  'questions',
]
/** By what a listing is found: the field, and a value with a word. */
const searched: [field: string, saying: (word: string) => unknown][] = [...texts, ...details]
  .filter(field => !NOT_SEARCHED.includes(field))
  .map(field => {
    const isList = Array.isArray(EMPTY_DETAILS[field as keyof typeof EMPTY_DETAILS])
    return [field, word => (isList ? ['a', word] : word)]
  })

test.each(searched)(
  'a listing is found by its %s, and no longer by an earlier one',
  async (field, saying) => {
    const [before, after] = [`vexillum${field}`, `quokka${field}`]
    const { body } = await ana.post('/api/products/', { ...aMug, [field]: saying(before) })
    expect(await found(before)).toEqual([body.id])
    await ana.put(`/api/products/${body.id}`, { ...aMug, [field]: saying(after) })
    expect(await found(before)).toEqual([])
    expect(await found(after)).toEqual([body.id])
    expect(await shop.rows(`select word from vocabulary where word = '${after}'`)).toHaveLength(1)
  },
)

test('a listing is not found by words of its story', async () => {
  await ana.post('/api/products/', { ...aMug, story: 'The vexillumstory of it.' })
  expect(await found('vexillumstory')).toEqual([])
})

test.each(Object.entries(textFieldsOf(ListingFields)))(
  'the database refuses a longer %s too',
  async (field, { max }) => {
    const { id } = await shop.list(ana)
    const written = shop.rows(`update products set ${field} = repeat('x', ${max + 1}) where id = ${id}`)
    await expect(written).rejects.toThrow(`products_${field}_length`)
  },
)

test.each([
  ['a longer tag', `tags = array['clay', repeat('x', 21)]`, 'products_tags_length'],
  ['more tags', `tags = array_fill('x'::text, array[14])`, 'products_tags_length'],
  ['a longer material', `materials = array[repeat('x', 46), 'clay']`, 'products_materials_length'],
  ['more materials', `materials = array_fill('x'::text, array[14])`, 'products_materials_length'],
  ['no weight', 'weight_grams = 0', 'products_weight'],
  ['no width', 'width_mm = 0', 'products_dimensions'],
  ['a longer side', 'length_mm = 5, height_mm = 100001', 'products_dimensions'],
  ['a sixth question', `questions = '[{}, {}, {}, {}, {}, {}]'`, 'products_questions'],
  ['no list of questions', `questions = '{}'`, 'products_questions'],
  ['a third variation', `variations = '[{}, {}, {}]'`, 'products_variations'],
])('the database refuses %s too', async (_, change, constraint) => {
  const { id } = await shop.list(ana)
  const written = shop.rows(`update products set ${change} where id = ${id}`)
  await expect(written).rejects.toThrow(constraint)
  await shop.rows(`
    update products set tags = array_fill(repeat('x', 20), array[13]), materials = array_fill(repeat('x', 45), array[13]),
      weight_grams = 1000000, length_mm = 100000, width_mm = 1, height_mm = null
    where id = ${id}`)
})

/** Where the row of a listing in the search table is: it moves with every write. */
const rowOf = (id: number) => shop.rows(`select ctid, xmin from catalogue where product_id = ${id}`)

test.each(fields.filter(field => field !== 'stock'))('another %s is another version', async field => {
  const mug = await shop.list(ana)
  const change = { ...aMug, [field]: other[field as keyof typeof other] }
  const row = await rowOf(mug.id)
  expect((await ana.put(`/api/products/${mug.id}`, change)).body).toEqual({ ...mug, ...change, version: 2 })
  expect(await rowOf(mug.id)).not.toEqual(row)
})

test.each(details)('another %s is another version; without it, it stays', async field => {
  const value = { ...EMPTY_DETAILS, ...itsDetails, section_id: section }[field as keyof Details]
  const mug = await shop.list(ana)
  expect(await detailsAt(mug.id)).toEqual(EMPTY_DETAILS)
  const put = async (change: object) => (await ana.put(`/api/products/${mug.id}`, change)).body
  // The answer of the list does not have it.
  expect(await put({ ...aMug, [field]: value })).toEqual({ ...mug, version: 2 })
  expect(await detailsAt(mug.id)).toEqual({ ...EMPTY_DETAILS, [field]: value })
  expect(await put({ ...aMug, price: 3 })).toEqual({ ...mug, price: 3, version: 3 })
  expect(await detailsAt(mug.id)).toEqual({ ...EMPTY_DETAILS, [field]: value })
  const empty = EMPTY_DETAILS[field as keyof typeof EMPTY_DETAILS]
  expect(await put({ ...aMug, price: 3, [field]: empty })).toEqual({ ...mug, price: 3, version: 4 })
  expect(await detailsAt(mug.id)).toEqual(EMPTY_DETAILS)
})

test('a change that was sent already is the same, also with details', async () => {
  const input = { ...aMug, ...itsDetails, section_id: section }
  const mug = (await ana.post('/api/products/', input)).body
  const put = (change: object) => ana.put(`/api/products/${mug.id}`, change, { 'expected-version': '7' })
  expect((await put(input)).status).toBe(200)
  expect((await put(aMug)).status).toBe(200)
  for (const field of details)
    expect(
      (await put({ ...input, [field]: EMPTY_DETAILS[field as keyof typeof EMPTY_DETAILS] })).status,
    ).toBe(409)
  expect(await detailsAt(mug.id)).toEqual({ ...EMPTY_DETAILS, ...itsDetails, section_id: section })
})

test('another stock and a sale are no other version, and nothing is indexed again', async () => {
  const mug = await shop.list(ana)
  const row = await rowOf(mug.id)
  const { body } = await ana.put(`/api/products/${mug.id}`, { ...aMug, stock: other.stock })
  expect(body).toEqual({ ...mug, stock: other.stock })
  await ana.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
  expect((await ana.post('/api/orders/checkout')).status).toBe(201)
  expect((await ana.get(`/api/products/${mug.id}`)).body).toEqual({ ...mug, stock: other.stock - 1 })
  expect(await rowOf(mug.id)).toEqual(row)
})

test('a deleted listing is in no search, and has no further version', async () => {
  const { id } = await shop.list(ana)
  await ana.delete(`/api/products/${id}`)
  expect(await rowOf(id)).toEqual([])
  expect(await shop.rows(`select version from products where id = ${id}`)).toEqual([{ version: 1 }])
  expect((await ana.get(`/api/products/${id}/details`)).status).toBe(404)
})

test('the form asks for every field', async () => {
  const form = await openForm(ana, '/products/new', 'Add a listing')
  expect(Object.keys(form.fields)).toEqual(expect.arrayContaining([...fields, ...Object.keys(typed)]))
})

/** The details as the form has them. */
const typed = {
  ...Object.fromEntries(
    Object.entries(textsOf({ ...EMPTY_DETAILS, ...itsDetails, section: null })).filter(
      ([control]) => control in DETAIL_LABELS,
    ),
  ),
  tags: 'tea mug, wood fired',
  materials: 'Stoneware, Ash glaze',
  weight_grams: '340',
  length_cm: '12.5',
  width_cm: '8.4',
  height_cm: '9.6',
  question_1: 'Name on the mug',
  question_1_instructions: 'At most two words',
  question_1_required: 'yes',
  question_1_length: '20',
  question_2: 'Colour',
  question_2_options: 'Blue\nGreen',
}

test('the form of a change has every field, saves it, and shows concurrent changes', async () => {
  const { id } = await shop.list(ana, other)
  const form = await openForm(ana, `/products/${id}/edit`, 'Update listing')
  const shown = Object.fromEntries(Object.entries(other).map(([field, value]) => [field, String(value)]))
  expect(form.fields).toMatchObject(shown)
  const words = textFields(mugSaying(field => `Typed ${field}`))
  const choice = { section_id: String(section) }
  const sent = { ...form, fields: { ...form.fields, ...words, ...typed, ...choice } }
  expect((await send(ana, sent)).status).toBe(303)
  expect((await ana.get(`/api/products/${id}`)).body).toMatchObject({ ...other, ...words })
  expect(await detailsAt(id)).toEqual({ ...EMPTY_DETAILS, ...itsDetails, section_id: section })
  const again = await openForm(ana, `/products/${id}/edit`, 'Update listing')
  expect(again.fields).toMatchObject({ ...words, ...typed, ...choice })

  await ana.put(`/api/products/${id}`, { ...aMug, ...textFields(other), ...EMPTY_DETAILS, title: 'Mine' })
  const refused = await send(ana, sent)
  expect(refused.status).toBe(409)
  for (const field of texts)
    expect(refused.body).toContain(`${labels[field as keyof typeof labels]} is now: Another ${field}`)
  const sides = SIDES.map(([, , label]) => label)
  for (const label of [...Object.values(DETAIL_LABELS), ...sides, 'Personalisation'])
    expect(refused.body).toContain(`${label} was changed`)
})

test('the page of a listing shows every text field', async () => {
  const { id } = await shop.list(ana, { ...other, ...itsDetails })
  const { body } = await ana.get(`/products/${id}`, { accept: 'text/html' })
  // Without the data that the page carries for its scripts.
  const [main = ''] = /<main.*<\/main>/s.exec(body.replace(/<script.*?<\/script>/gs, '')) ?? []
  for (const text of Object.values(textFields(other))) expect(main).toContain(text)
  // Lines and lists stand in elements of their own.
  for (const field of Object.keys(textFieldsOf(Details)) as (keyof typeof itsDetails)[])
    for (const line of String(itsDetails[field]).split(/\n+(?:- )?/)) expect(main).toContain(line)
})
