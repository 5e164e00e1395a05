import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyCall, openWorld, type World } from '../support/fixtures.ts'
import { aMug } from '../support/listings.ts'
import { isForOperator, openOperator } from '../support/operators.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** What every public call answers, and the list of one maker. */
const publicOf = async (world: World) => {
  const visitor = shop.visitor()
  const responses = [...shop.app.calls]
    .filter(([, { isPublic }]) => isPublic)
    .map(([key]) => everyCall[key]!(visitor, world))
  const listed = visitor.get(`/api/products/?seller=${world.owner.user.username}`)
  return (await Promise.all([...responses, listed])).map(({ status, body }) => ({ status, body }))
}

function senderOf(key: string, { owner }: World): Promise<Person> | Person {
  if (key.includes('/operate/')) return openOperator(shop)
  // The owner already has a review.
  return key.includes('create-review') ? shop.signUp('ben') : owner
}

test.each(Object.keys(everyCall).filter(key => !key.startsWith('GET')))(
  'after %s no stale response is returned',
  async key => {
    const world = await openWorld(shop)
    // An account with a running order is not deleted.
    if (key.endsWith('/deletion')) await world.owner.delete(`/api/orders/${world.order}/delete-order`)
    await publicOf(world)
    const person = await senderOf(key, world)
    // A draft that lacks nothing.
    if (key.endsWith('publish'))
      await world.owner.put(`/api/drafts/${world.draft}`, { fields: { ...aMug, price: '24.50', stock: '3' } })
    const { status } = await everyCall[key]!(person, world)
    const cached = await publicOf(world)
    shop.app.cache.invalidateAll()
    const fresh = await publicOf(world)
    expect(cached).toEqual(fresh)
    // Refused: a wrong password or code, an unknown passkey, parcel or event, a refund of nothing, the token or signature of no
    // letter, no decision, an application where everybody may sell, no invitation, no link of a new shop, and a message to oneself.
    const refused =
      /login(\/passkey)?$|reset-password|confirm-email$|letters\/off|(collected|received|refunds)$|:eventId|objection$|selling\/(application|invitation)|api\/setup$|messages\/to/
    if (key.includes('/operate/')) expect([status, isForOperator(key, status)]).toEqual([status, true])
    else if (!refused.test(key)) expect(status).toBeLessThan(300)
  },
)

test('after each decision of an operator no stale response is returned', async () => {
  const world = await openWorld(shop)
  const { owner, listing, review } = world
  await owner.put(`/api/reviews/${review}/reply`, { reply: 'Thank you!' })
  const operator = await openOperator(shop)
  const decisions = [
    ...['hide', 'show'].map(decision => `listings/${listing}/${decision}`),
    ...['reply/hide', 'reply/show', 'hide', 'show'].map(decision => `reviews/${review}/${decision}`),
    ...['suspend', 'restore'].map(decision => `people/${owner.user.id}/${decision}`),
    ...['publish', 'take-back'].map(decision => `pages/contact/${decision}`),
  ]
  const input = { text: 'We make things by hand.', base: null }
  const version = (await operator.post('/api/operate/pages/contact/versions', input)).body.id
  for (const decision of decisions) {
    const before = await publicOf(world)
    const { status } = await operator.post(`/api/operate/${decision}`, {
      reason: 'A report',
      rule: 'No. 3',
      version,
    })
    expect([decision, status]).toEqual([decision, 200])
    const cached = await publicOf(world)
    shop.app.cache.invalidateAll()
    expect([decision, cached]).toEqual([decision, await publicOf(world)])
    expect([decision, cached]).not.toEqual([decision, before])
  }
})

test('a refused change leaves the cache as it is', async () => {
  const { listing } = await openWorld(shop)
  const stranger = await shop.signUp('stranger')
  await shop.visitor().get(`/api/products/${listing}`)
  const { epoch } = shop.app.cache
  expect(epoch).toBeDefined()
  expect((await shop.visitor().delete(`/api/products/${listing}`)).status).toBe(401)
  expect((await stranger.delete(`/api/products/${listing}`)).status).toBe(403)
  expect(shop.app.cache.epoch).toBe(epoch)
})
