import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, inEachMode, type Visit, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** Inserts orders, oldest first, each with so many listings. @returns their ids, newest first */
async function orders(shopper: Person, count: number, kinds = 1): Promise<number[]> {
  const seller = await shop.signUp('seller')
  const placed = await shop.rows(`
    with mugs as (
      insert into products (seller_id, name, category, description, price_cents)
      select ${seller.user.id}, 'Mug', 'Home & Living', 'Of clay.', 2450 from generate_series(1, ${kinds}) returning id
    ), stocked as (
      insert into stock_ledger (product_id, units, reason) select id, 1, 'opening' from mugs
    ), placed as (
      insert into orders (user_id, total_cents, created_at)
      select ${shopper.user.id}, ${kinds * 2450}, timestamptz '2026-01-01' + n * interval '1 minute'
      from generate_series(1, ${count}) as n returning id
    ), lines as (
      insert into order_lines (order_id, product_id, name, price_cents, quantity)
      select placed.id, mugs.id, 'Mug', 2450, 1 from placed, mugs
    )
    select id from placed`)
  return placed.map(({ id }) => id).sort((a, b) => b - a)
}
/** Orders on the page; each line names its order. */
const shown = async (there: Visit) => [
  ...new Set(await there.page.locator('.order-line > span:first-of-type').allTextContents()),
]
const named = (ids: number[]) => ids.map(id => `Order #${id}`)

inEachMode(mode => {
  test('orders are shown 24 at a time, and one of a further page can be cancelled', async () => {
    const shopper = await shop.signUp('shopper')
    const ids = await orders(shopper, 50)
    const there = await visit(shop, mode, { signedInAs: shopper })
    await there.go('/orders/view')
    const pages = [ids.slice(0, 24), ids.slice(24, 48), ids.slice(48)].map(named)
    expect(await shown(there)).toEqual(pages[0])
    expect(await there.one('link', 'Previous').count()).toBe(0)
    await there.press('link', 'Next 24')
    await eventually(() => shown(there)).toEqual(pages[1])
    await there.press('link', 'Next 24')
    await eventually(() => shown(there)).toEqual(pages[2])
    await there.page.getByText('Page 3', { exact: true }).waitFor()
    expect(await there.one('link', 'Next 24').count()).toBe(0)
    await there.press('link', 'Previous')
    await eventually(() => shown(there)).toEqual(pages[1])
    await there.press('link', 'Previous')
    await there.arrives('/orders/view')
    await eventually(() => shown(there)).toEqual(pages[0])

    await there.press('link', 'Next 24')
    await eventually(() => shown(there)).toEqual(pages[1])
    await there.press('link', 'Next 24')
    await eventually(() => shown(there)).toEqual(pages[2])
    const further = there.path
    const [first, last] = ids.slice(48)
    await there.press('button', `Cancel Order #${last}`)
    await there.dialog('Are you sure you want to cancel?')
    await there.press('button', 'No (Keep Order)')
    await there.arrives(further)
    for (const id of [last, first]) {
      await there.press('button', `Cancel Order #${id}`)
      await there.dialog('Are you sure you want to cancel?')
      await there.press('button', 'Yes')
      // With its last order the further page is gone.
      await there.arrives(id === last ? further : '/orders/view')
      await there.sees('The order is cancelled. Its maker has been told')
    }
    expect(
      await shop.rows(`select from orders where user_id = ${shopper.user.id} and status = 'Pending'`),
    ).toHaveLength(48)
  })
})

test('a page of long orders has fewer of them', async () => {
  const shopper = await shop.signUp('hoarder')
  const ids = await orders(shopper, 6, 120)
  const there = await visit(shop, 'with scripts', { signedInAs: shopper })
  await there.go('/orders/view')
  expect(await shown(there)).toEqual(named(ids.slice(0, 2)))
  for (const from of [2, 4]) {
    await there.press('link', 'Next 24')
    await eventually(() => shown(there)).toEqual(named(ids.slice(from, from + 2)))
  }
  expect(await there.one('link', 'Next 24').count()).toBe(0)
})
