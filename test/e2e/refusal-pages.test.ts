import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { go, openPage } from '../support/browser/browser.ts'
import { titleOf } from '../support/expect.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let owner: Person
let product = 0
let order = 0
beforeAll(async () => {
  shop = await openShop()
  owner = await shop.signUp('owner')
  product = (await shop.list(owner, { name: 'Speckled mug' })).id
  await owner.post(`/api/cart_items/add/${product}`, { quantity: 1 })
  order = (await owner.post('/api/orders/checkout')).body.id
})
afterAll(() => shop.close())

describe.each([true, false])('pages of refusals, scripts: %s', scripts => {
  test.each([
    '/nothing',
    '/products/9999999',
    '/products/x',
    '/categories/x',
    '/shops/nobody',
    '/products/9999999/edit',
  ])('404 at %s', async address => {
    const page = await openPage(shop, { scripts, signedInAs: owner, expects: [/status of 404/] })
    expect(await go(page, address)).toBe(404)
    await page.getByRole('heading', { name: '404', level: 1 }).waitFor()
    expect(await page.title()).toBe('Page not found · Thrum')
    await page.getByRole('link', { name: 'Back to the shop' }).click()
    await page.getByRole('heading', { name: 'Welcome to Thrum' }).waitFor()
  })

  test('405 for a post to a page without an action', async () => {
    const page = await openPage(shop, { scripts, signedInAs: owner, expects: [/status of 405/] })
    await go(page, '/orders/view')
    const [response] = await Promise.all([
      page.waitForResponse(answer => answer.request().method() === 'POST'),
      page.locator('body').evaluate(body => {
        const form = Object.assign(document.createElement('form'), { method: 'post', action: '/orders/view' })
        body.append(form)
        form.submit()
      }),
    ])
    expect(response.status()).toBe(405)
    expect(response.headers().allow).toBe('GET, HEAD')
    await page.getByRole('heading', { name: '405', level: 1 }).waitFor()
  })
})

test.each(['PUT', 'DELETE', 'PATCH'] as const)(
  '405 for %s, with the methods that are allowed',
  async method => {
    for (const [address, allow] of [
      ['/', 'GET, HEAD'],
      ['/login', 'GET, HEAD, POST'],
      [`/products/${product}`, 'GET, HEAD, POST'],
      [`/products/${product}/reviews`, 'GET, HEAD'],
      [`/orders/${order}/delete-order`, 'GET, HEAD, POST'],
    ] as const) {
      const answer = await owner.send({ method, url: address })
      expect([address, answer.status, answer.headers.allow]).toEqual([address, 405, allow])
      expect(titleOf(answer.body)).toBe('Method not allowed · Thrum')
    }
  },
)

test('unknown pages are 404 and wrong methods 405, as a page', async () => {
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'LOCK']) {
    const htmlOf = (url: string) =>
      owner.send({ method: method as 'PUT', url, headers: { accept: 'text/html,*/*;q=0.8' } })
    const [known, unknown] = [await htmlOf('/cart'), await htmlOf('/nothing')]
    expect([method, known.status, known.headers.allow]).toEqual([method, 405, 'GET, HEAD, POST'])
    expect(titleOf(known.body)).toBe('Method not allowed · Thrum')
    expect([method, unknown.status, unknown.headers.allow]).toEqual([method, 404, undefined])
    expect(titleOf(unknown.body)).toBe('Page not found · Thrum')
  }
})

test('a malformed address answers a page, or JSON for programs', async () => {
  for (const url of ['/%ff', '/products/%ff']) {
    const page = await owner.get(url, { accept: 'text/html,*/*;q=0.8' })
    expect([page.status, page.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
    expect(page.body).toContain('<h1>Unexpected Application Error!</h1>')
    expect(page.body).toContain('This address cannot be read.')
    expect((await owner.get(url, { accept: 'application/json' })).body.errors).toHaveLength(1)
  }
  const call = await owner.get('/api/products/%ff', { accept: 'text/html' })
  expect([call.status, call.body.errors.length]).toEqual([400, 1])
})
