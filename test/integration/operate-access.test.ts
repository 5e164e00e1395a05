import { afterAll, beforeAll, expect, test } from 'vitest'
import { brandInput } from '../support/brand.ts'
import { everyCall, openWorld } from '../support/fixtures.ts'
import { urlencoded } from '../support/form-posts.ts'
import { isForOperator, nameOperator, openOperator, operateKeys } from '../support/operators.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
/** Ids of what the forms are about. */
let ids: Record<'report' | 'listing' | 'review' | 'person' | 'order', string>
let people: Record<'visitor' | 'shopper' | 'maker' | 'unconfirmed' | 'operator' | 'thief', Person>
beforeAll(async () => {
  shop = await openShop()
  const maker = await shop.signUp('maker')
  await shop.list(maker, { name: 'Mug' })
  const operator = await openOperator(shop)
  // With the session cookie alone.
  const thief = shop.visitor()
  thief.cookie = operator.cookie
  people = {
    visitor: shop.visitor(),
    shopper: await shop.signUp('shopper'),
    maker,
    unconfirmed: await nameOperator(shop, 'olga'),
    operator,
    thief,
  }
  const { listing, review, order, owner } = await openWorld(shop)
  await people.shopper.post(`/api/products/${listing}/reports`, { grounds: 'copy', words: 'That is mine' })
  const [report] = await shop.rows('select max(id)::text as id from reports')
  await shop.rows(`update users set email_confirmed_at = now() where id = ${people.shopper.user.id}`)
  ids = {
    report: String(report?.id),
    listing: String(listing),
    review: String(review),
    person: String(owner.user.id),
    order: String(order),
  }
})
afterAll(() => shop.close())

/** Every page of operators. */
const PAGES = [
  ...['', '/reports', '/listings', '/reviews', '/people', '/orders', '/makers', '/setup', '/brand'],
  ...['/settings', '/pages', '/pages/about', '/operators', '/log'],
].map(part => `/operate${part}`)

test.each(PAGES)('%s opens for an operator who has proved who they are, and for nobody else', async path => {
  const responses = await Promise.all(
    Object.entries(people).map(async ([who, person]) => {
      const { status, headers } = await person.get(path, { accept: 'text/html' })
      return [who, status, headers.location]
    }),
  )
  const next = encodeURIComponent(path)
  expect(responses).toEqual([
    ['visitor', 302, `/login?next=${next}`],
    ['shopper', 404, undefined],
    ['maker', 404, undefined],
    ['unconfirmed', 302, expect.stringMatching(/^\/operate\/confirm\?next=/)],
    ['operator', 200, undefined],
    ['thief', 302, expect.stringMatching(/^\/operate\/confirm\?next=/)],
  ])
})

test.each(operateKeys)('%s as an operator who has proved who they are', async key => {
  const { status } = await everyCall[key]!(await openOperator(shop), await openWorld(shop))
  expect([status, isForOperator(key, status)]).toEqual([status, true])
})

const { team: _, ...brandFields } = brandInput
/** A valid form of each page that has one. */
const FORMS: [path: string, fields: () => Record<string, string>][] = [
  ['/operate/reports', () => ({ intent: 'dismiss', id: ids.report })],
  ['/operate/listings', () => ({ intent: 'hide-listing', id: ids.listing })],
  ['/operate/reviews', () => ({ intent: 'hide-review', id: ids.review })],
  ['/operate/people', () => ({ intent: 'suspend', id: ids.person })],
  ['/operate/orders', () => ({ intent: 'open-order', id: ids.order })],
  ['/operate/makers', () => ({ intent: 'invite', note: 'The fair', uses: '3', days: '7' })],
  ['/operate/setup', () => ({ intent: 'end-setup' })],
  ['/operate/settings', () => ({ intent: 'change-settings', who_may_sell: 'open' })],
  ['/operate/pages/imprint', () => ({ intent: 'publish', text: 'We knit.' })],
  ['/operate/brand', () => brandFields],
  // The shopper is an operator afterwards.
  ['/operate/operators', () => ({ intent: 'add-operator', email: people.shopper.user.email })],
]

test.each(FORMS)('the form of %s is taken from an operator, and from nobody else', async (path, fields) => {
  const before = await shop.rows('select max(id) as last from operator_log')
  const { operator, ...others } = people
  const send = (person: Person) => urlencoded(person, path, { reason: 'Because', ...fields() })
  const responses = await Promise.all(
    Object.entries(others).map(async ([who, person]) => {
      const { status } = await send(person)
      return [who, status]
    }),
  )
  expect(Object.fromEntries(responses)).toEqual({
    visitor: 401,
    shopper: 404,
    maker: 404,
    unconfirmed: 403,
    thief: 403,
  })
  expect(await shop.rows('select max(id) as last from operator_log')).toEqual(before)
  expect((await send(operator)).status).toBeLessThan(400)
})

test('every link between these pages is in this table', async () => {
  const { body } = await people.operator.get('/operate', { accept: 'text/html' })
  const [, nav = ''] = /<nav aria-label="Operate">(.*?)<\/nav>/s.exec(body) ?? []
  const linked = [...nav.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)
  expect(linked.length).toBeGreaterThan(10)
  expect(PAGES).toEqual(expect.arrayContaining(linked))
})
