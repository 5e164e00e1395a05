import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { soon } from './expect.ts'
import type { Person, Shop } from './person.ts'

/** Every acknowledged write. */
export const done = {
  listings: new Map<string, number>(),
  photos: [] as { id: number; url: string }[],
  orders: new Map<string, number>(),
  reviews: [] as { id: number; author: number }[],
}

/** Retries after a lost connection or a 503. The caller makes sure that a retry has no second effect. */
async function untilAnswered(ask: () => ReturnType<Person['get']>) {
  for (let tries = 0; ; tries++) {
    const response = await ask().catch(() => ({ status: 502, body: undefined, headers: {} }))
    if (response.status < 502) return response
    if (tries === 40) throw new Error(`no response but ${response.status}`)
    await sleep(50)
  }
}

/** A word that is new. */
const newWord = () =>
  randomUUID()
    .replaceAll('-', '')
    .replace(/\d/g, digit => 'ghijklmnop'[Number(digit)] ?? '')

/** A listing from its creation to its first review; after each step its seller sees it in any process. */
export async function journey(shop: Shop, seller: Person, buyer: Person, photo: Buffer): Promise<void> {
  let name = ''
  const listed = await untilAnswered(() => {
    name = `Mug ${newWord()}`
    return seller.post('/api/products/', {
      name,
      category: 'Home & Living',
      description: 'Blue.',
      price: 12,
      stock: 3,
    })
  })
  expect(listed.status).toBe(201)
  const { id } = listed.body
  done.listings.set(name, id)
  expect((await untilAnswered(() => seller.get(`/api/products/${id}`))).body).toMatchObject({ id, name })
  const { body: picture } = await untilAnswered(() => seller.upload(`/api/products/${id}/images`, photo))
  done.photos.push({ id: picture.id, url: picture.url })
  const listing = (await untilAnswered(() => seller.get(`/api/products/${id}`))).body
  expect(listing.images.map((image: { id: number }) => image.id)).toContain(picture.id)
  expect((await untilAnswered(() => shop.visitor().get(picture.url))).status).toBe(200)

  const found = () => untilAnswered(() => buyer.get(`/api/products/?q=${name.split(' ')[1]}`))
  await expect.poll(async () => (await found()).body.products.length, soon).toBe(1)
  const key = randomUUID()
  // A retried add would be two units, so check first.
  await untilAnswered(async () => {
    const cart = await buyer.get(`/api/cart_items/${buyer.user.id}`)
    if (cart.status !== 200 || cart.body.cart_items.length > 0) return cart
    return buyer.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  })
  const order = await untilAnswered(() =>
    buyer.post('/api/orders/checkout', undefined, { 'idempotency-key': key }),
  )
  expect(order.status).toBe(201)
  done.orders.set(key, order.body.id)
  const orders = (await untilAnswered(() => buyer.get('/api/orders/'))).body
  expect(orders.map((each: { id: number }) => each.id)).toContain(order.body.id)

  const input = { review: `Lovely ${name}`, stars: 5 }
  const review = await untilAnswered(() => buyer.post(`/api/reviews/${id}/create-review`, input))
  // 409: created before, and the response was lost.
  expect([201, 409]).toContain(review.status)
  const reviews = (await untilAnswered(() => buyer.get(`/api/reviews/${id}/reviews`))).body
  expect(reviews).toMatchObject([{ user_id: buyer.user.id, review: input.review }])
  done.reviews.push({ id: reviews[0].id, author: buyer.user.id })
}
