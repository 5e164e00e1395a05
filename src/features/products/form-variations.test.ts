import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { multipart } from '../../../test/support/form-posts.ts'
import { aMug, colours, sizes, stocksOf, varied } from '../../../test/support/listings.ts'
import { formWith, openForm } from '../../../test/support/resilience/forms.ts'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { typedVariations, validateVariations } from './form-variations.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

/** Sends a form, as a browser without scripts. */
const send = (fields: Record<string, string>, url: string, photo: Uint8Array<ArrayBuffer> | null = null) =>
  multipart(ana, url, fields, photo)

test('the form of 400 combinations is saved', async () => {
  const many = (letter: string) => Array.from({ length: 20 }, (_, n) => `${letter} ${n + 1}`)
  const combinations = many('Size').flatMap(size =>
    many('Colour').map(colour => ({ options: [size, colour], price: 12, stock: 1, sku: '' })),
  )
  const variations = [
    { ...sizes, options: many('Size') },
    { ...colours, options: many('Colour') },
  ]
  const listing = { ...aMug, variations: { variations, combinations } }
  const { id } = (await ana.post('/api/products/', listing)).body
  const form = await openForm(ana, `/products/${id}/edit`, 'Update listing')
  expect(form.fields).toMatchObject({
    combination_400: 'Size 20 · Colour 20',
    combination_400_price: '12.00',
  })
  const sent = await send(
    { ...form.fields, combination_400_price: '9', combination_1_stock: '5' },
    form.action,
  )
  expect(sent.status).toBe(303)
  expect((await ana.get(`/api/products/${id}`)).body).toMatchObject({ price: 9, stock: 404 })
})

test('each edit page has a key of its own, also in two tabs of the same moment', async () => {
  const { id } = await shop.list(ana, { stock: 5 })
  const open = () => openForm(ana, `/products/${id}/edit`, 'Update listing')
  // After the first time a page of this address could come from the cache.
  await open()
  const [first, second] = [await open(), await open()]
  expect(first.fields.key).not.toBe(second.fields.key)
  expect((await send({ ...first.fields, stock: '8' }, first.action)).status).toBe(303)
  // Only the name: what the other tab has added stays.
  expect((await send({ ...second.fields, name: 'Another name' }, second.action)).status).toBe(303)
  expect(await shop.stockOf(id)).toBe(8)
})

test('another piece in the form of the last one, as after Back, is added by the next try, and replaces nothing', async () => {
  const form = await openForm(ana, '/products/new', 'Add a listing')
  const photo = new Uint8Array(pngOf(300, 200))
  const sent = (fields: Record<string, string>, name: string) =>
    send({ ...fields, ...aMug, price: '12', stock: '3', name }, form.action, photo)
  expect((await sent(form.fields, 'Blue mug')).status).toBe(303)
  const refused = await sent(form.fields, 'Red mug')
  expect(refused.status).toBe(422)
  expect(refused.body).toContain(
    'Blue mug was added with this form already. To add another piece, send the form again',
  )
  const again = formWith('Add a listing', String(refused.body), form.action)
  expect((await sent(again.fields, 'Red mug')).status).toBe(303)
  const { products } = (await ana.get('/api/products/current?limit=2')).body
  expect(products.map(({ name }: { name: string }) => name)).toEqual(['Red mug', 'Blue mug'])
})

test('a stock that can be read in two ways is refused, in rows too', async () => {
  const { id } = await shop.list(ana, { stock: 5 })
  const { fields, action } = await openForm(ana, `/products/${id}/edit`, 'Update listing')
  const words = 'Stock must be a whole number, without separators'
  const response = await send({ ...fields, stock: '1.000' }, action)
  expect([response.status, response.body]).toEqual([400, expect.stringContaining(words)])
  expect(await shop.stockOf(id)).toBe(5)
  const rows = { variation_1: 'Size', variation_1_options: 'Small', combination_1: 'Small' }
  const typed: Record<string, string> = { ...rows, combination_1_price: '10', combination_1_stock: '1.000' }
  expect(validateVariations(name => typed[name])).toEqual({ combination_1_stock: words })
})

test('options by the thousand are refused at once', async () => {
  const options = Array.from({ length: 7_000 }, (_, n) => n).join('\n')
  const typed: Record<string, string> = {
    ...{ name: 'Mug', price: '12', stock: '3' },
    ...{
      variation_1: 'Size',
      variation_1_options: options,
      variation_2: 'Colour',
      variation_2_options: options,
    },
  }
  const [combinations, wrong] = [
    typedVariations(name => typed[name]),
    validateVariations(name => typed[name]),
  ]
  expect(combinations?.combinations).toHaveLength(70 * 70)
  expect(wrong.variation_1_options).toBe('Options must be a list of 1 to 70 different ones')
})

test('a combination that two tabs have added has the stock of the last one', async () => {
  const { id } = await shop.list(ana, { variations: varied })
  await ana.upload(`/api/products/${id}/images`, pngOf(300, 200))
  const form = await openForm(ana, `/products/${id}/edit`, 'Update listing')
  const withHuge = (stock: string) => ({
    ...{ ...form.fields, variation_1_options: 'Small\nLarge\nHuge', combination_3: 'Huge' },
    ...{ combination_3_price: '40', combination_3_stock: stock, combination_3_shown: '' },
    ...{ combination_3_sku: '', combination_3_photo: '' },
  })
  expect((await send(withHuge('5'), form.action)).status).toBe(303)
  const other = { ...withHuge('3'), combination_3_price: '45', key: randomUUID() }
  const refused = await send(other, form.action)
  expect(refused.status).toBe(409)
  expect(refused.body).toContain('Price of Huge is now: $40.00')
  const again = formWith('Update listing', String(refused.body), form.action)
  expect((await send(again.fields, form.action)).status).toBe(303)
  expect((await stocksOf(ana, id))[2]).toBe(3)
})

test('the first variations are saved with any stock, and a renamed option after a sale by the next try', async () => {
  const { id } = await shop.list(ana, { stock: 5 })
  const form = await openForm(ana, `/products/${id}/edit`, 'Update listing')
  const typed = { ...form.fields, stock: '10', variation_1: 'Size', variation_1_options: 'Small\nLarge' }
  expect((await send(typed, form.action)).status).toBe(303)
  expect(await stocksOf(ana, id)).toEqual([10, 10])
  const second = await openForm(ana, `/products/${id}/edit`, 'Update listing')
  const renamed = { ...second.fields, variation_1_options: 'Small\nHuge', combination_2: 'Huge' }
  const buyer = await shop.signUp('buyer')
  await buyer.post(`/api/cart_items/add/${id}`, {
    quantity: 1,
    answers: [{ question: 'Size', answer: 'Large' }],
  })
  expect((await buyer.post('/api/orders/checkout')).status).toBe(201)
  const refused = await send(renamed, second.action)
  const again = formWith('Update listing', String(refused.body), second.action)
  expect(refused.status).toBe(409)
  expect((await send(again.fields, second.action)).status).toBe(303)
})
