import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromCents } from '#money'
import type { Answer } from '#products/questions-contract.ts'
import { addAddress, addProfile, sendBy } from '../../../test/support/postage.ts'
import { expectedPart, type RandomCart, randomCart } from '../../../test/support/random-carts.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import type { Checkout } from './contract.ts'

let shop: TestShop
let ben: Person
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const questions = [{ title: 'Name', instructions: '', required: false, max_length: 20 }]
/** The same pieces on one line, or on two or three with other answers: by their number, so that each run does the same. */
function split(quantity: number): { quantity: number; answers?: Answer[] }[] {
  const named = (answer: string) => ({ answers: [{ question: 'Name', answer }] })
  if (quantity % 3 === 0) return [{ quantity }]
  const first = Math.ceil(quantity / 2)
  const parts = [
    { quantity: first, ...named('Ana') },
    ...(quantity > first ? [{ quantity: quantity - first }] : []),
  ]
  return quantity % 3 === 1 && first > 1
    ? [{ quantity: 1, ...named('Cleo') }, { quantity: first - 1, ...named('Ana') }, ...parts.slice(1)]
    : parts
}

/** Puts a random cart into a shop, with makers of its own. */
async function fill({ sellers, country }: RandomCart): Promise<void> {
  for (const { profiles, lines, wanted } of sellers) {
    const maker = await shop.signUp('maker')
    const listings = []
    for (const line of lines) {
      const { id } = await shop.list(maker, { price: fromCents(line.price_cents), stock: 100, questions })
      listings.push({ id, ...line })
    }
    const places: number[] = []
    for (const [index, { rates, places: names }] of profiles.entries()) {
      const prices = rates.map(rate => [rate.destination, [rate.first_cents, rate.further_cents]] as const)
      const profile = await addProfile(shop.db, maker, {
        rates: Object.fromEntries(prices) as Record<string, [number, number]>,
        places: Object.fromEntries(names.map(name => [name, ''])),
      })
      if (wanted !== null) places.push(profile.places[wanted] ?? 0)
      const ids = listings.flatMap(line => (line.profile === index ? [line.id] : []))
      if (ids.length > 0) await sendBy(shop.db, profile.id, ...ids)
    }
    for (const { id, quantity } of listings)
      for (const part of split(quantity)) await ben.post(`/api/cart_items/add/${id}`, part)
    for (const id of places.filter(id => id > 0))
      await ben.put(`/api/checkout/sellers/${maker.user.id}`, { pickup_id: id })
  }
  if (country === null) return
  const { id } = await addAddress(shop.db, ben, { country })
  await ben.put('/api/checkout/address', { address_id: id })
}

test('60 random carts cost the same in the cart, in the order and piece by piece', async () => {
  let ordered = 0
  for (const cart of fc.sample(randomCart, 60)) {
    ben = await shop.signUp('ben')
    await fill(cart)
    const expected = cart.sellers.map(seller => expectedPart(seller, cart.country))
    const { parts, postage, total, delivery } = (await ben.get('/api/checkout/')).body as Checkout
    expect(parts.map(part => [part.pieces, part.postage])).toEqual(
      expected.map(part => [fromCents(part.pieces_cents), fromCents(part.postage_cents)]),
    )
    const cents = expected.reduce((sum, part) => sum + part.pieces_cents + part.postage_cents, 0)
    expect(total).toBe(fromCents(cents))
    const possible = expected.every(({ way }) => way !== 'none')
    expect(parts.every(({ refusal }) => refusal === null)).toBe(possible)
    const answer = await ben.post('/api/orders/checkout', undefined, {
      'expected-total': total.toFixed(2),
      'expected-delivery': delivery,
    })
    expect(answer.status).toBe(possible ? 201 : 409)
    if (!possible) continue
    ordered++
    expect([answer.body.total, answer.body.postage ?? 0]).toEqual([total, postage])
    const written = await shop.rows(
      `select total_cents, postage_cents, pickup_place from orders where user_id = ${ben.user.id} order by id`,
    )
    expect(written).toEqual(
      expected.map(({ way, pieces_cents, postage_cents }) => ({
        total_cents: pieces_cents + postage_cents,
        postage_cents,
        pickup_place: typeof way === 'object' ? way.place : null,
      })),
    )
  }
  expect(ordered).toBeGreaterThan(5)
}, 120_000)
