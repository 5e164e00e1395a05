import { afterAll, beforeAll, expect, test } from 'vitest'
import { aReport } from '../../../test/support/fixtures.ts'
import { openOperator } from '../../../test/support/operators.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let otto: Person
let ana: Person
let ben: Person
beforeAll(async () => {
  shop = await openShop()
  otto = await openOperator(shop)
  ana = await shop.signUp('ana')
  ben = await shop.signUp('ben')
})
afterAll(() => shop.close())

const statement = { reason: 'An insult', rule: 'Be kind' }

test('operators get links to the pieces and makers that have a page', async () => {
  const { id: listing } = await shop.list(ana, { name: 'Indigo bowl' })
  const input = { review: 'Cracked.', stars: 1 }
  const review = (await ben.post(`/api/reviews/${listing}/create-review`, input)).body.id
  await ana.put(`/api/reviews/${review}/reply`, { reply: 'Thank you.' })
  const [piece, maker] = [`/products/${listing}`, `/shops/${ana.user.username}`]
  const linked = async () => {
    const page = (await otto.get(`/operate/reviews?q=${review}`, { accept: 'text/html' })).body
    expect(page).toContain('Indigo bowl')
    expect(page).toContain(`Reply by `)
    return [piece, maker].map(path => page.includes(`href="${path}${path === piece ? '#reviews' : ''}"`))
  }
  const open = () =>
    Promise.all([piece, maker].map(async path => (await shop.visitor().get(path)).status === 200))
  const expectLinks = async (...expected: boolean[]) => {
    expect(await open()).toEqual(expected)
    expect(await linked()).toEqual(expected)
  }
  const back = { reason: 'It was a mistake' }
  await expectLinks(true, true)
  await ana.post(`/api/products/${listing}/retire`)
  await expectLinks(false, true)
  await ana.post(`/api/products/${listing}/restore`)
  await otto.post(`/api/operate/listings/${listing}/hide`, statement)
  await expectLinks(false, true)
  await otto.post(`/api/operate/listings/${listing}/show`, back)
  await otto.post(`/api/operate/people/${ana.user.id}/suspend`, statement)
  await expectLinks(false, false)
  await otto.post(`/api/operate/people/${ana.user.id}/restore`, back)
  await expectLinks(true, true)
  // A report about the reply stands in the queue.
  await ben.post(`/api/reviews/${review}/reply/reports`, aReport)
  const report = async () => (await otto.get('/operate/reports', { accept: 'text/html' })).body
  expect(await report()).toContain(`href="${piece}#reviews"`)
  await ana.delete(piece.replace('/', '/api/'))
  await expectLinks(false, true)
  expect(await report()).not.toContain(`href="${piece}#reviews"`)
})

test('the name of a suspended maker is no link beside orders and listings: the shop has no page', async () => {
  const [cleo, dora] = [await shop.signUp('cleo'), await shop.signUp('dora')]
  const { id } = await shop.list(cleo)
  await dora.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const order = (await dora.post('/api/orders/checkout')).body.id
  const linked = () =>
    Promise.all(
      [`/operate/orders?q=${order}`, `/operate/listings?q=${id}`].map(async path => {
        const { body } = await otto.get(path, { accept: 'text/html' })
        expect(body).toContain(cleo.user.username)
        return body.includes(`href="/shops/${cleo.user.username}"`)
      }),
    )
  expect(await linked()).toEqual([true, true])
  await otto.post(`/api/operate/listings/${id}/hide`, statement)
  await otto.post(`/api/operate/people/${cleo.user.id}/suspend`, statement)
  expect(await linked()).toEqual([false, false])
})
