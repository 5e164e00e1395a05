import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type Person, type TestShop } from '../test/shop.ts'
import { eventually, everyWay, type Visit, visit } from './steps.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ pages: true, listen: true })
})
afterAll(() => shop.close())

/** Orders of one mug, put there by hand, the oldest first. @returns their ids, the newest first */
async function orders(shopper: Person, count: number): Promise<number[]> {
  const mug = await shop.list(await shop.signUp('seller'))
  const placed = await shop.rows(`
    with placed as (
      insert into orders (user_id, total_cents, created_at)
      select ${shopper.user.id}, 2450, timestamptz '2026-01-01' + n * interval '1 minute'
      from generate_series(1, ${count}) as n returning id
    )
    insert into order_lines (order_id, product_id, name, price_cents, quantity)
    select id, ${mug.id}, 'Mug', 2450, 1 from placed returning order_id as id`)
  return placed.map(({ id }) => id).sort((a, b) => b - a)
}
const shown = (there: Visit) => there.page.locator('.order-line > :first-child').allTextContents()
const named = (ids: number[]) => ids.map(id => `Order #${id}`)

everyWay(mode => {
  test('orders are shown 24 at a time, back and forth, and one of a further page is kept, then cancelled', async () => {
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
    await there.asked('Are you sure you want to cancel?')
    await there.press('button', 'No (Keep Order)')
    await there.arrives(further)
    for (const id of [last, first]) {
      await there.press('button', `Cancel Order #${id}`)
      await there.asked('Are you sure you want to cancel?')
      await there.press('button', 'Yes')
      // With its last order the further page is gone.
      await there.arrives(id === last ? further : '/orders/view')
    }
    expect(
      await shop.rows(`select from orders where user_id = ${shopper.user.id} and status = 'Pending'`),
    ).toHaveLength(48)
  })
})
