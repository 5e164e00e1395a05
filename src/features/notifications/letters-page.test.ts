import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const send = (person: Awaited<ReturnType<TestShop['signUp']>>, fields: string[][]) =>
  person.send({
    method: 'POST',
    url: '/settings/letters',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    payload: new URLSearchParams(fields).toString(),
  })
/** The kinds that are ticked. */
const ticked = (page: string) =>
  [...page.matchAll(/<input type="checkbox" name="on"([^>]*)>/g)].flatMap(([, attributes = '']) =>
    attributes.includes('checked') ? [/value="(\w+)"/.exec(attributes)?.[1]] : [],
  )

test('a choice of letters that is refused is still ticked', async () => {
  const ana = await shop.signUp('ana')
  const refused = await send(ana, [
    ['kind', 'review'],
    ['kind', 'reply'],
    ['kind', 'none-of-ours'],
    ['on', 'reply'],
  ])
  expect(refused.status).toBe(400)
  expect(ticked(refused.body)).toEqual(['reply'])
  expect(ticked((await ana.get('/settings/letters')).body)).toContain('review')
})

test('a choice of letters after the session has ended asks for the login', async () => {
  const ana = await shop.signUp('ana')
  await ana.get('/api/auth/logout')
  const page = await send(ana, [['kind', 'review']])
  expect(page.status).toBe(401)
  expect(page.body).toContain('>Log In<')
})
