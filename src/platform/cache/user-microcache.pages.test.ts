import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { questionsOf } from '../../../test/support/cache-harness.ts'
import { soon } from '../../../test/support/expect.ts'
import { aMug, openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { ResponseCache } from './response-cache.ts'

let shop: TestShop
let ana: Person
let ben: Person
let mug: number
beforeAll(async () => {
  shop = await openShop({ pages: true, signups: true, alone: true })
  ana = await shop.signUp('ana')
  ben = await shop.signUp('ben')
})
afterAll(() => shop.close())
afterEach(() => {
  vi.useRealTimers()
})
beforeEach(async () => {
  mug = (await shop.list(ana, { name: 'Speckled mug', stock: 9 })).id
})
/** Somebody on another of their devices. */
async function onAnother({ user, password }: Person): Promise<Person> {
  const device = shop.visitor()
  device.password = password
  await device.post('/api/auth/login', { email: user.email, password })
  device.user = user
  return device
}

/** No second is over before the test is, however busy the machine. */
const oneMoment = () => vi.useFakeTimers({ toFake: ['performance'] })

/** Fulfilled when a page costs no question: all changes before are heard of by then. */
const costsNothing = (person: Person, page: string) =>
  vi.waitFor(async () => expect([page, await questionsOf(() => person.get(page))]).toEqual([page, 0]), soon)

test('pages that one person looks at within a second ask the database nothing again', async () => {
  oneMoment()
  for (const page of ['/', `/products/${mug}/speckled-mug`, '/cart', '/orders', '/favourites'])
    await costsNothing(ben, page)
})

test('where other processes make changes, everybody is looked up with every page', async () => {
  const crew = await openShop({ pages: true })
  try {
    const eve = await crew.signUp('eve')
    for (const _ of [1, 2, 3]) await eve.get('/')
    expect(await questionsOf(() => eve.get('/'))).toBe(1)
  } finally {
    await crew.close()
  }
})

test('what somebody else changes for themselves has nobody else looked up again', async () => {
  oneMoment()
  const add = () => ana.post(`/api/cart_items/add/${mug}`, { quantity: 1 })
  // The first one opens a cart, which is done on its own.
  await add()
  for (const change of [add, () => ana.put(`/api/favourites/${mug}`)]) {
    await costsNothing(ben, '/')
    await change()
    expect(await questionsOf(() => ben.get('/'))).toBe(0)
  }
})

test('after every change that the shop knows, everybody is told what is true', async () => {
  const png = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  let [phone, tablet] = [await onAnother(ben), await onAnother(ben)]
  const cy = await onAnother(ben)
  const shopOf = `/api/shops/${ana.user.username}`
  const line = async () => (await ben.get(`/api/cart_items/${ben.user.id}`)).body.cart_items[0].id
  const own = async () => (await ben.get(`/api/reviews/${mug}/own`)).body[0].id
  const order = async () => (await ben.get('/api/orders/')).body[0].id
  const other = async () =>
    (await ben.get('/api/auth/sessions')).body.sessions.find(
      (session: { current: boolean }) => !session.current,
    ).id
  /** One after the other, each on the ground of those before. */
  const changes: Record<string, () => Promise<{ status: number }>> = {
    'POST /api/products/': () => ana.post('/api/products/', { ...aMug, name: 'Bowl' }),
    'PUT /api/products/:id': () => ana.put(`/api/products/${mug}`, { ...aMug, price: 19.5 }),
    'POST /api/products/:id/images': () => ana.upload(`/api/products/${mug}/images`, png),
    'PUT /api/shops/:username': () => ana.put(shopOf, { words: 'Clay from the river.', place: 'Bergen' }),
    'POST /api/shops/:username/picture': () => ana.upload(`${shopOf}/picture`, png),
    'DELETE /api/shops/:username/picture': () => ana.delete(`${shopOf}/picture`),
    'PUT /api/favourites/:productId': () => ben.put(`/api/favourites/${mug}`),
    'DELETE /api/favourites/:productId': () => phone.delete(`/api/favourites/${mug}`),
    'POST /api/cart_items/add/:productId': () => ben.post(`/api/cart_items/add/${mug}`, { quantity: 1 }),
    'PUT /api/cart_items/:id': async () => phone.put(`/api/cart_items/${await line()}`, { quantity: 3 }),
    'DELETE /api/cart_items/:id': async () => ben.delete(`/api/cart_items/${await line()}`),
    'POST /api/orders/checkout': async () => {
      await ben.post(`/api/cart_items/add/${mug}`, { quantity: 2 })
      await told()
      return phone.post('/api/orders/checkout')
    },
    'DELETE /api/orders/:orderId/delete-order': async () =>
      ben.delete(`/api/orders/${await order()}/delete-order`),
    'POST /api/reviews/:productId/create-review': () =>
      ben.post(`/api/reviews/${mug}/create-review`, { review: 'It holds tea.', stars: 5 }),
    'POST /api/reviews/:id/edit-review/': async () =>
      phone.post(`/api/reviews/${await own()}/edit-review/`, { review: 'It drips.', stars: 2 }),
    'PUT /api/reviews/:id/reply': async () =>
      ana.put(`/api/reviews/${await own()}/reply`, { reply: 'Sorry!' }),
    'DELETE /api/reviews/:id/reply': async () => ana.delete(`/api/reviews/${await own()}/reply`),
    'DELETE /api/reviews/:id/delete-review': async () =>
      ben.delete(`/api/reviews/${await own()}/delete-review`),
    'DELETE /api/products/:id': async () => {
      await ben.put(`/api/favourites/${mug}`)
      await ben.post(`/api/cart_items/add/${mug}`, { quantity: 1 })
      await told()
      return ana.delete(`/api/products/${mug}`)
    },
    'POST /api/auth/login': async () => {
      tablet = await onAnother(ben)
      return { status: 200 }
    },
    'DELETE /api/auth/sessions/:id': async () => ben.delete(`/api/auth/sessions/${await other()}`),
    'GET /api/auth/logout': async () => {
      const { cookie } = cy
      const answer = await cy.get('/api/auth/logout')
      cy.cookie = cookie
      return answer
    },
    'POST /api/auth/password': async () => {
      phone = await onAnother(ben)
      await told()
      return ben.post('/api/auth/password', {
        current_password: ben.password,
        new_password: 'another-1-secret',
      })
    },
    'DELETE /api/auth/sessions': async () => {
      const { cookie } = ben
      const answer = await ben.delete('/api/auth/sessions')
      ben.cookie = cookie
      return answer
    },
    'POST /api/auth/signup': async () => {
      tablet = await shop.signUp('dora')
      return { status: 201 }
    },
  }
  const looks: Record<string, (person: Person) => string> = {
    'GET /api/auth/': () => '/api/auth/',
    'GET /api/auth/session': () => '/api/auth/session',
    'GET /api/auth/sessions': () => '/api/auth/sessions',
    'GET /api/cart_items/:id': ({ user }) => `/api/cart_items/${user.id}`,
    'GET /api/favourites/': () => '/api/favourites/',
    'GET /api/favourites/ids': () => '/api/favourites/ids',
    'GET /api/orders/': () => '/api/orders/',
    'GET /api/orders/order-items/:any': () => '/api/orders/order-items/all',
    'GET /api/products/current': () => '/api/products/current',
    'GET /api/reviews/:productId/own': () => `/api/reviews/${mug}/own`,
  }
  const told = async () => {
    const answers: unknown[] = []
    for (const person of [ana, ben, phone, tablet, cy])
      for (const [name, address] of Object.entries(looks)) {
        const { status, body } = await person.get(address(person))
        answers.push([name, status, body])
      }
    return answers
  }
  // Nothing is missing here.
  const all = [...shop.app.calls].filter(([, call]) => !call.forEverybody).map(([name]) => name)
  expect([...Object.keys(changes), ...Object.keys(looks)].sort()).toEqual(all.sort())

  // What is true again is so because of the change.
  oneMoment()
  for (const [name, change] of Object.entries(changes)) {
    await told()
    const { status } = await change()
    expect([name, status]).toEqual([name, expect.toSatisfy((is: number) => is < 300)])
    const now = await told()
    shop.app.cache.personal?.changed()
    expect([name, now]).toEqual([name, await told()])
  }
})

test('a form without scripts leads to a page with what it has changed', async () => {
  const eve = await shop.signUp('eve')
  const address = `/products/${mug}/speckled-mug`
  oneMoment()
  await costsNothing(eve, address)
  const { status, headers } = await eve.send({
    method: 'POST',
    url: address,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'quantity=2',
  })
  const { body } = await eve.get(String(headers.location))
  expect([status, body.includes('2 items')]).toEqual([303, true])
  expect((await eve.get('/')).body).toContain('2 items')
})

test('a session that was ended with SQL opens nothing a moment later', async () => {
  const eve = await shop.signUp('eve')
  oneMoment()
  await costsNothing(eve, '/')
  await shop.rows(`delete from sessions where user_id = ${eve.user.id}`)
  await vi.waitFor(async () => expect((await eve.get('/')).body).not.toContain(eve.user.email), soon)
})

test('nobody is alone in a shop that another process serves too', async () => {
  const [first, second, third] = [
    new ResponseCache({ alone: true }),
    new ResponseCache(),
    new ResponseCache({ alone: true }),
  ]
  const own = await openShop()
  try {
    expect(first.personal).toBeUndefined()
    await first.listen(own.connection)
    // The shop that is open there says that it listens.
    expect(first.personal).toBeUndefined()
    const apart = { ...own.connection, database: 'postgres' }
    await third.listen(apart)
    expect(third.personal).toBeDefined()
    await second.listen(apart)
    await vi.waitFor(() => expect(third.personal).toBeUndefined(), soon)
  } finally {
    for (const each of [first, second, third]) await each.close()
    await own.close()
  }
})
