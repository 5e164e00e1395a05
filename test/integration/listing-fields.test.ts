import { afterAll, beforeAll, expect, test } from 'vitest'
import { ListingDraft } from '#products/contract.ts'
import { aMug, labels, mugSaying } from '../support/listings.ts'
import { openForm, send } from '../support/resilience/forms.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'
import { textFieldsOf } from '../support/text-fields.ts'

// What every field of a listing needs. The fields come from the contract: a new one is tested without a change here.

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

const fields = Object.keys(ListingDraft.shape)
const texts = Object.keys(textFieldsOf(ListingDraft))
const textsOf = (draft: object) =>
  Object.fromEntries(Object.entries(draft).filter(([field]) => texts.includes(field)))
/** Other values than the mug's, in every field. */
const other = {
  ...mugSaying(field => `Another ${field}`),
  category: 'Art & Collectibles',
  price: 1,
  stock: 6,
}

test.each(texts)('a listing is found by its %s, and no longer by an earlier one', async field => {
  const found = async (word: string): Promise<number[]> =>
    (await shop.visitor().get(`/api/products/?q=${word}`)).body.products.map(({ id }: { id: number }) => id)
  const [before, after] = [`vexillum${field}`, `quokka${field}`]
  const { body } = await ana.post('/api/products/', { ...aMug, [field]: before })
  expect(await found(before)).toEqual([body.id])
  await ana.put(`/api/products/${body.id}`, { ...aMug, [field]: after })
  expect(await found(before)).toEqual([])
  expect(await found(after)).toEqual([body.id])
  expect(await shop.rows(`select word from vocabulary where word = '${after}'`)).toHaveLength(1)
})

test.each(Object.entries(textFieldsOf(ListingDraft)))(
  'the database refuses a longer %s too',
  async (field, { max }) => {
    const { id } = await shop.list(ana)
    const written = shop.rows(`update products set ${field} = repeat('x', ${max + 1}) where id = ${id}`)
    await expect(written).rejects.toThrow(`products_${field}_length`)
  },
)

/** Where the row of a listing in the search table is: it moves with every write. */
const rowOf = (id: number) => shop.rows(`select ctid, xmin from catalogue where product_id = ${id}`)

test.each(fields.filter(field => field !== 'stock'))('another %s is another version', async field => {
  const mug = await shop.list(ana)
  const change = { ...aMug, [field]: other[field as keyof typeof other] }
  const row = await rowOf(mug.id)
  expect((await ana.put(`/api/products/${mug.id}`, change)).body).toEqual({ ...mug, ...change, version: 2 })
  expect(await rowOf(mug.id)).not.toEqual(row)
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
})

test('the form asks for every field', async () => {
  const form = await openForm(ana, '/products/new', 'Add a listing')
  expect(Object.keys(form.fields)).toEqual(expect.arrayContaining(fields))
})

test('the form of a change has every field, saves it, and shows concurrent changes', async () => {
  const { id } = await shop.list(ana, other)
  const form = await openForm(ana, `/products/${id}/edit`, 'Update listing')
  const shown = Object.fromEntries(Object.entries(other).map(([field, value]) => [field, String(value)]))
  expect(form.fields).toMatchObject(shown)
  const typed = textsOf(mugSaying(field => `Typed ${field}`))
  const sent = { ...form, fields: { ...form.fields, ...typed } }
  expect((await send(ana, sent)).status).toBe(303)
  expect((await ana.get(`/api/products/${id}`)).body).toMatchObject({ ...other, ...typed })

  await ana.put(`/api/products/${id}`, { ...aMug, ...textsOf(other) })
  const refused = await send(ana, sent)
  expect(refused.status).toBe(409)
  for (const field of texts)
    expect(refused.body).toContain(`${labels[field as keyof typeof labels]} is now: Another ${field}`)
})

test('the page of a listing shows every text field', async () => {
  const { id } = await shop.list(ana, other)
  const { body } = await ana.get(`/products/${id}`, { accept: 'text/html' })
  // Without the data that the page carries for its scripts.
  const [main = ''] = /<main.*<\/main>/s.exec(body.replace(/<script.*?<\/script>/gs, '')) ?? []
  for (const text of Object.values(textsOf(other))) expect(main).toContain(text)
})
