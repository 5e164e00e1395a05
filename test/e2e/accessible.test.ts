import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectFits, expectOpen } from '../support/browser/looks.ts'
import type { Scene, Viewer } from '../support/browser/screen-steps.ts'
import { screensOf } from '../support/browser/screens.ts'
import { picture, visit } from '../support/browser/steps.ts'
import { aShopPage } from '../support/fixtures.ts'
import { openWithDemoLogin, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let people: Record<Viewer, Person | undefined>
const scene: Scene = { product: 0, soldOut: 0, order: 0, conversation: 0, review: 0, shop: '', emptyShop: '' }
beforeAll(async () => {
  shop = await openWithDemoLogin()
  const [person, other, newcomer, latecomer] = await Promise.all(
    ['person', 'other', 'newcomer', 'latecomer'].map(name => shop.signUp(name)),
  )
  if (!person || !other || !newcomer || !latecomer) throw new Error('nobody signed up')
  people = { person, newcomer, latecomer, visitor: undefined }
  scene.shop = `/shops/${person.user.username}`
  scene.emptyShop = `/shops/${newcomer.user.username}`
  await person.put(`/api${scene.shop}`, {
    words: 'I make pots. '.repeat(30),
    place: 'In-a-house-without-a-number-behind-the-old-mill',
  })
  await person.upload(`/api${scene.shop}/picture`, (await picture()).buffer)
  await person.upload(`/api${scene.shop}/banner`, (await picture()).buffer)
  await person.put(`/api${scene.shop}/page`, {
    ...aShopPage,
    contact_email: `${'long-'.repeat(12)}@pots.example`,
  })

  const name = 'An uncommonly-long-word-that-no-line-can-hold-pot'
  scene.product = (await shop.list(person, { name, stock: 2 })).id
  const photos = `/api/products/${scene.product}/images`
  for (const { buffer } of [await picture(), await picture()]) await person.upload(photos, buffer)
  scene.soldOut = (await shop.list(other, { name: 'Last bowl', stock: 1 })).id
  const twin = (await shop.list(other, { name: 'Twin bowls', stock: 2 })).id

  const put = (person: Person, id: number, quantity = 1) =>
    person.post(`/api/cart_items/add/${id}`, { quantity })
  await put(latecomer, scene.soldOut)
  await put(latecomer, twin, 2)
  for (const id of [scene.soldOut, twin]) await put(person, id)
  scene.order = (await person.post('/api/orders/checkout')).body.id
  await put(person, scene.product)
  const question = { text: 'q'.repeat(300), listing: scene.product }
  const asked = await other.post(`/api/messages/to/${scene.shop.split('/')[2]}`, question)
  scene.conversation = asked.body.conversation
  for (const id of [scene.product, scene.soldOut])
    expect((await person.put(`/api/favourites/${id}`)).status).toBeLessThan(300)
  for (const [author, stars] of [[person, 5] as const, [other, 2] as const]) {
    const review = { review: 'x'.repeat(300), stars }
    scene.review = (await author.post(`/api/reviews/${scene.product}/create-review`, review)).body.id
    await person.put(`/api/reviews/${scene.review}/reply`, { reply: 'y'.repeat(300) })
  }
})
afterAll(() => shop.close())

test.each(screensOf(scene))('$name', async ({ path, viewer = 'person', steps, expects }) => {
  const signedInAs = people[viewer]
  const there = await visit(shop, 'with scripts', { signedInAs, expects: expects ? [expects] : [] })
  await there.go(path())
  await steps?.(there)
  await expectOpen(there.page)
  await expectFits(there.page)
})
