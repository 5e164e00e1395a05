import { afterAll, beforeAll, expect, test } from 'vitest'
import { soon } from '../support/expect.ts'
import type { MailServer } from '../support/mail-server.ts'
import type { TestShop } from '../support/shop.ts'
import { openShopWithMail, sendWaiting } from '../support/shop-with-mail.ts'
import { sell } from '../support/sold.ts'

let mail: MailServer
let shop: TestShop
beforeAll(async () => {
  ;({ mail, shop } = await openShopWithMail())
})
afterAll(() => shop.close())

test('cart, checkout, order, letter, feed and structured data name a maker as their cards do', async () => {
  const [maker, shopper] = [await shop.signUp('maker'), await shop.signUp('shopper')]
  const named = { words: '', place: 'Brook End', name: 'Sorrel & Flint' }
  expect((await maker.put(`/api/shops/${maker.user.username}`, named)).status).toBe(200)
  const { id, pieces } = await sell(shop, { maker, shopper, quantities: [1], by: 'post' })
  const [piece] = pieces

  expect((await shopper.get(`/api/orders/${id}/detail`)).body.maker.name).toBe('Sorrel & Flint')
  await maker.post(`/api/sales/${id}/parcels`, { lines: [{ id: piece, quantity: 1 }] })
  await sendWaiting(shop)
  const sent = () =>
    mail.letters.find(({ subject }) => subject === `A parcel of your order ${id} is on its way`)
  await expect.poll(() => sent()?.text, soon).toContain('Sorrel & Flint')
  expect(sent()?.text).not.toContain(maker.user.username)

  const { id: other } = await shop.list(maker)
  await shopper.post(`/api/cart_items/add/${other}`, { quantity: 1 })
  expect((await shopper.get('/api/checkout/')).body.parts[0].seller.name).toBe('Sorrel & Flint')
  expect((await shopper.get('/cart', { accept: 'text/html' })).body).toContain(
    'How the pieces from Sorrel &amp; Flint',
  )
  const { items } = (await shop.visitor().get('/feeds/listings.json')).body
  expect(items[0].authors).toEqual([{ name: 'Sorrel & Flint' }])
  const page = (await shop.visitor().get(`/products/${other}`, { accept: 'text/html' })).body
  const data = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)?.[1] ?? ''
  expect(data.match(/"brand":\{[^}]*\}/)?.[0]).toMatch(/Sorrel (&|\\u0026) Flint"\}$/)
})
