import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, visit } from '../support/browser/steps.ts'
import { openOperator } from '../support/operators.ts'
import { reviewed } from '../support/reviewed.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const LOST = 'The connection was lost. Nothing you typed is gone: please try again'
const expects = [/Network failure/, /net::ERR_FAILED/, /status of 409/]

/** The next call of this method and path is carried out, but its response is lost. */
async function loseNext(page: Page, method: string, path: string): Promise<void> {
  let isNext = true
  await page.route(`**${path}`, async route => {
    if (!isNext || route.request().method() !== method) return route.fallback()
    isNext = false
    await route.fetch()
    await route.abort()
  })
}

const open = async (path: string, person: Awaited<ReturnType<TestShop['signUp']>>) => {
  const there = await visit(shop, 'with scripts', { signedInAs: person, expects })
  await there.go(path)
  return there
}

test('an order that was cancelled by a try whose response was lost counts as cancelled', async () => {
  const [seller, shopper] = [await shop.signUp('seller'), await shop.signUp('shopper')]
  const { id } = await shop.list(seller)
  await shopper.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const order = (await shopper.post('/api/orders/checkout')).body.id
  const there = await open(`/orders/${order}/delete-order`, shopper)
  await loseNext(there.page, 'DELETE', `/api/orders/${order}/delete-order`)
  await there.press('button', 'Yes')
  await there.sees(LOST)
  await there.press('button', 'Yes')
  await there.sees('The order is cancelled. Its maker has been told')
})

test('a review that was stored by a try whose response was lost counts as stored', async () => {
  const { author, path } = await reviewed(shop)
  const there = await open(`${path}/create-review`, author)
  await there.choose('Stars', '4')
  await there.fill('What did you think of this product?', ' A fine mug. ')
  await loseNext(there.page, 'POST', `/api/reviews/${path.split('/').pop()}/create-review`)
  await there.press('button', 'Leave Review')
  await there.sees(LOST)
  await there.press('button', 'Leave Review')
  await there.arrives(path)
  await there.sees('A fine mug.')
})

test('a section that is there after a lost response is shown, and its name stays', async () => {
  const there = await open('/settings/sections', await shop.signUp('maker'))
  await there.page.route('**/api/sections/', route => route.abort())
  await there.fill('New section', 'Mugs')
  await there.press('button', 'Add the section')
  await there.sees(LOST)
  expect(await there.valueOf('New section')).toBe('Mugs')
  await there.page.unroute('**/api/sections/')
  await loseNext(there.page, 'POST', '/api/sections/')
  await there.press('button', 'Add the section')
  await eventually(() => there.one('button', 'Add the section').getAttribute('aria-disabled')).toBe(null)
  await there.press('button', 'Add the section')
  await there.sees('You have a section called Mugs already')
  await there.page.getByLabel('Rename or remove Mugs').waitFor()
})

test('settings that were saved by a try whose response was lost count as saved', async () => {
  const there = await open('/operate/settings', await openOperator(shop))
  await there.fill('Reason', 'The meeting decided')
  await there.page.getByLabel('Makers say it before they add listings', { exact: true }).check()
  await loseNext(there.page, 'PUT', '/api/operate/settings')
  await there.press('button', 'Save')
  await there.sees(LOST)
  await there.press('button', 'Save')
  await there.sees('Saved')
  const entries = await shop.rows("select reason from operator_log where action = 'settings-changed'")
  expect(entries).toEqual([{ reason: 'The meeting decided' }])
})
