import { afterAll, beforeAll, expect, test } from 'vitest'
import { multipart } from '../../../test/support/form-posts.ts'
import { stocksOf, varied } from '../../../test/support/listings.ts'
import { formWith, openForm } from '../../../test/support/resilience/forms.ts'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

const damaged = new TextEncoder().encode('no picture')
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

test('the first variations that are saved while a photo is refused bring their stock once', async () => {
  const { id } = await shop.list(ana, { stock: 4 })
  await ana.upload(`/api/products/${id}/images`, pngOf(300, 200))
  const form = await openForm(ana, `/products/${id}/edit`, 'Update listing')
  const typed = { ...form.fields, variation_1: 'Size', variation_1_options: 'Small\r\nLarge' }
  const refused = await send(typed, form.action, damaged)
  expect(refused.status).toBe(400)
  expect(await stocksOf(ana, id)).toEqual([4, 4])
  const again = formWith('Update listing', String(refused.body), form.action)
  expect((await send(again.fields, form.action)).status).toBe(303)
  expect(await stocksOf(ana, id)).toEqual([4, 4])
})

test('a combination keeps its photo when another tab has changed the order of the photos', async () => {
  const { id } = await shop.list(ana, { variations: varied })
  const [x, y] = [300, 301].map(width => ana.upload(`/api/products/${id}/images`, pngOf(width, 200)))
  const [first, second] = [(await x)?.body, (await y)?.body].sort((a, b) => a.id - b.id)
  const saved = await openForm(ana, `/products/${id}/edit`, 'Update listing')
  expect((await send({ ...saved.fields, combination_1_photo: '1' }, saved.action)).status).toBe(303)
  const photoOfSmall = async () => {
    const { images } = (await ana.get(`/api/products/${id}`)).body
    const { combinations } = (await ana.get(`/api/products/${id}/details`)).body.variations
    return images[combinations[0].photo - 1].id
  }
  expect(await photoOfSmall()).toBe(first.id)
  const form = await openForm(ana, `/products/${id}/edit`, 'Update listing')
  await ana.put(`/api/products/${id}/images`, { photos: [{ id: second.id }, { id: first.id }] })
  expect(await photoOfSmall()).toBe(first.id)
  const refused = await send({ ...form.fields, story: 'Thrown by the window.' }, form.action)
  expect(refused.status).toBe(409)
  const again = formWith('Update listing', String(refused.body), form.action)
  expect((await send(again.fields, form.action)).status).toBe(303)
  expect(await photoOfSmall()).toBe(first.id)
})

test('stock that is saved while a photo is refused is not added again when the form is sent again', async () => {
  const { id } = await shop.list(ana, { variations: varied })
  await ana.upload(`/api/products/${id}/images`, pngOf(300, 200))
  const form = await openForm(ana, `/products/${id}/edit`, 'Update listing')
  const refused = await send({ ...form.fields, combination_1_stock: '8' }, form.action, damaged)
  expect(refused.status).toBe(400)
  expect(await stocksOf(ana, id)).toEqual([8, 3])
  const again = formWith('Update listing', String(refused.body), form.action)
  expect(again.fields).toMatchObject({ combination_1_stock: '8', combination_1_shown: '8' })
  expect((await send(again.fields, form.action)).status).toBe(303)
  expect(await stocksOf(ana, id)).toEqual([8, 3])
})

test('combinations that were sold out and get pieces while a photo is refused are not refused next', async () => {
  const { id } = await shop.list(ana, { variations: varied })
  await ana.upload(`/api/products/${id}/images`, pngOf(300, 200))
  const first = await openForm(ana, `/products/${id}/edit`, 'Update listing')
  const soldOut = { ...first.fields, combination_1_stock: '0', combination_2_stock: '0' }
  expect((await send(soldOut, first.action)).status).toBe(303)
  const form = await openForm(ana, `/products/${id}/edit`, 'Update listing')
  expect(form.fields).toMatchObject({ stock: '0', stock_shown: '0' })
  const refused = await send({ ...form.fields, combination_1_stock: '5' }, form.action, damaged)
  const again = formWith('Update listing', String(refused.body), form.action)
  expect((await send(again.fields, form.action)).status).toBe(303)
  expect(await stocksOf(ana, id)).toEqual([5, 0])
})

test('variations that are taken back after a photo was refused leave the stock that is typed', async () => {
  const { id } = await shop.list(ana, { stock: 4 })
  await ana.upload(`/api/products/${id}/images`, pngOf(300, 200))
  const form = await openForm(ana, `/products/${id}/edit`, 'Update listing')
  const sizes = { ...form.fields, variation_1: 'Size', variation_1_options: 'S\nM' }
  const refused = await send(sizes, form.action, damaged)
  expect(await stocksOf(ana, id)).toEqual([4, 4])
  const again = formWith('Update listing', String(refused.body), form.action)
  const plain = { ...again.fields, variation_1: '', variation_1_options: '' }
  expect((await send(plain, form.action)).status).toBe(303)
  expect((await ana.get(`/api/products/${id}`)).body.stock).toBe(4)
})
