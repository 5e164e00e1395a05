import { afterAll, beforeAll, expect, test } from 'vitest'
import { nameOperator, openOperator } from '../support/operators.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
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
})
afterAll(() => shop.close())

/** Every page of operators. */
const PAGES = [
  ...['', '/reports', '/listings', '/reviews', '/people', '/orders', '/makers', '/setup', '/brand'],
  ...['/settings', '/pages', '/pages/about', '/operators', '/log'],
].map(part => `/operate${part}`)

test.each(PAGES)('%s opens for an operator who has proved who they are, and for nobody else', async path => {
  const answers = await Promise.all(
    Object.entries(people).map(async ([who, person]) => {
      const { status, headers } = await person.get(path, { accept: 'text/html' })
      return [who, status, headers.location]
    }),
  )
  const next = encodeURIComponent(path)
  expect(answers).toEqual([
    ['visitor', 302, `/login?next=${next}`],
    ['shopper', 404, undefined],
    ['maker', 404, undefined],
    ['unconfirmed', 302, expect.stringMatching(/^\/operate\/confirm\?next=/)],
    ['operator', 200, undefined],
    ['thief', 302, expect.stringMatching(/^\/operate\/confirm\?next=/)],
  ])
})

test('every link between these pages is in this table', async () => {
  const { body } = await people.operator.get('/operate', { accept: 'text/html' })
  const [, nav = ''] = /<nav aria-label="Operate">(.*?)<\/nav>/s.exec(body) ?? []
  const linked = [...nav.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)
  expect(linked.length).toBeGreaterThan(10)
  expect(PAGES).toEqual(expect.arrayContaining(linked))
})
