import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addProfile, sendBy } from '../../../test/support/postage.ts'
import { openForm, send } from '../../../test/support/resilience/forms.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { upload } from '../../../test/support/uploads.ts'
import type { CheckoutPart } from './contract.ts'

/* The form of the cart without scripts: each button sends everything. */

let shop: TestShop
let ana: Person
let ben: Person
/** A listing that is sent by post, and can be collected. */
let mug: number
/** The line of it in ben's cart. */
let line: number
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())
beforeEach(async () => {
  ben = await shop.signUp('ben')
  mug = (await shop.list(ana, { name: 'Blue mug', stock: 5 })).id
  const profile = await addProfile(shop.db, ana, {
    rates: { EU: [450, 150] },
    places: { Studio: '', Market: '' },
  })
  await sendBy(shop.db, profile.id, mug)
  await ben.post(`/api/cart_items/add/${mug}`, { quantity: 4 })
  ;[{ id: line }] = (await ben.get(`/api/cart_items/${ben.user.id}`)).body.cart_items
})

const noteField = () => `note-${ana.user.id}`
const press = async (action: string, fields: Record<string, string>) => {
  const cart = await openForm(ben, '/cart', 'Proceed to checkout')
  return send(ben, { action, fields: { ...cart.fields, ...fields } })
}

test('a note that is too long is shown again beside the refusal of another change', async () => {
  const note = 'x'.repeat(501)
  const taken = await press(`/cart?line=${line}&quantity=9`, { intent: 'update', [noteField()]: note })
  expect(taken.status).toBe(409)
  expect(taken.body).toContain('Only 5 of Blue mug left in stock')
  expect(taken.body).toContain('cannot be more than 500 characters')
  expect(taken.body).toContain(`${note}</textarea>`)
})

test('a removal says so, and can be undone, where a note beside it is refused', async () => {
  const bowl = (await shop.list(ana, { name: 'Ash bowl' })).id
  await ben.post(`/api/cart_items/add/${bowl}`, { quantity: 1 })
  const note = 'x'.repeat(501)
  const removed = await press(`/cart?line=${line}&undo=${mug}x4`, { intent: 'remove', [noteField()]: note })
  expect(removed.status).toBe(400)
  expect(removed.body).toContain('Item was removed from your cart')
  expect(removed.body).toContain(`value="${mug}x4"`)
  expect(removed.body).toContain(`${note}</textarea>`)
})

test('the cart shows the picture of each maker, and the confirmation what each line costs', async () => {
  const mia = await shop.signUp('mia')
  const bowl = (await shop.list(mia, { name: 'Ash bowl', price: 7.25 })).id
  await ben.post(`/api/cart_items/add/${bowl}`, { quantity: 3 })
  const picture = await upload(mia, `/api/shops/${mia.user.username}/picture`, {})
  expect(picture.status).toBe(201)
  const { parts } = (await ben.get('/api/checkout/')).body
  const pictures = new Map(parts.map((part: CheckoutPart) => [part.seller.id, part.seller.picture]))
  expect(pictures.get(ana.user.id)).toBeNull()
  const address = String(pictures.get(mia.user.id))
  expect(address).toMatch(/^\/images\/.+\.webp$/)
  const html = async (path: string) => String((await ben.get(path, { accept: 'text/html' })).body)
  expect(await html('/cart')).toContain(`class="maker-picture" src="${address}"`)
  // Three of $7.25, without a total of its own, since there is another maker.
  expect(await html('/cart?checkout=yes')).toContain('<span>$21.75</span>')
})
