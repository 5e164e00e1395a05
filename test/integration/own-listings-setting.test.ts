import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../support/expect.ts'
import { openShop, type Person, type TestResponse, type TestShop } from '../support/shop.ts'

let open: TestShop
let strict: TestShop
beforeAll(async () => {
  open = await openShop()
  strict = await openShop({ settings: { OWN_LISTINGS: 'refuse' } })
})
afterAll(async () => {
  await open.close()
  await strict.close()
})

/** Does something with a listing in both shops: in the strict one the seller is refused, all others are accepted. */
async function expectSetting(
  work: (person: Person, listing: number) => Promise<TestResponse>,
  refusal: string,
) {
  const [seller, buyer] = [await strict.signUp('ana'), await strict.signUp('ben')]
  const { id } = await strict.list(seller)
  expectRefusal(await work(seller, id), 403, refusal)
  expect((await work(buyer, id)).status).toBe(201)
  const anywhere = await open.signUp('ana')
  expect((await work(anywhere, (await open.list(anywhere)).id)).status).toBe(201)
}

test('whether sellers may buy their own listings is a setting', () =>
  expectSetting(
    (person, id) => person.post(`/api/cart_items/add/${id}`, { quantity: 1 }),
    'You cannot buy your own listing',
  ))

test('whether sellers may review their own listings is a setting', () =>
  expectSetting(
    (person, id) => person.post(`/api/reviews/${id}/create-review`, { review: 'Best ever', stars: 5 }),
    'You cannot review your own listing',
  ))

test('what sellers have put into their cart before is not sold to them', async () => {
  const [ana, ben] = [await strict.signUp('ana'), await strict.signUp('ben')]
  const { id } = await strict.list(ana)
  await ben.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  await strict.rows(`update products set seller_id = ${ben.user.id} where id = ${id}`)
  const refusal = 'You cannot buy your own listing; remove it from your cart first'
  expectRefusal(await ben.post('/api/orders/checkout'), 409, refusal)
  expect((await ben.get('/api/orders/')).body).toEqual([])
})

test('pages offer sellers neither to buy nor to review their own listing where that is refused', async () => {
  const [seller, buyer] = [await strict.signUp('ana'), await strict.signUp('ben')]
  const { id } = await strict.list(seller)
  const offersOf = async (person: Person, listing: number) => {
    const { body } = await person.get(`/products/${listing}`, { accept: 'text/html' })
    return ['Add to cart', 'Create Review', 'This is your own piece.'].filter(text =>
      String(body).includes(text),
    )
  }
  expect(await offersOf(seller, id)).toEqual(['This is your own piece.'])
  expect(await offersOf(buyer, id)).toEqual(['Add to cart', 'Create Review'])
  const anywhere = await open.signUp('ana')
  expect(await offersOf(anywhere, (await open.list(anywhere)).id)).toEqual(['Add to cart', 'Create Review'])
})
