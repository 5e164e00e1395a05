import type { Person, Shop } from './person.ts'

/** A shop whose database can be asked. */
interface Place extends Shop {
  // biome-ignore lint/suspicious/noExplicitAny: the columns depend on the statement
  rows(statement: string): Promise<any[]>
}

/** An order of one maker. */
export interface Order {
  id: number
  /** Ids of its listings. */
  pieces: number[]
}

/** An address with words that are nowhere else. */
export const ADDRESS = {
  name: 'Quintessa Yarborough',
  line1: 'Zephyrlane 17',
  city: 'Umbrageville',
  postal_code: 'QX9-77Z',
  country: 'DE',
}

/** A maker sends their pieces everywhere by post. */
export const sendsByPost = (shop: Place, { user }: Person): Promise<unknown> =>
  shop.rows(`insert into postage_rates (profile_id, destination, first_cents, further_cents, days_min, days_max)
    select id, '*', 450, 100, 2, 4 from postage_profiles where seller_id = ${user.id} on conflict do nothing`)

/** The shopper's orders go to an address. */
async function livesThere(shop: Place, { user }: Person): Promise<void> {
  const { name, line1, city, postal_code, country } = ADDRESS
  await shop.rows(`with home as (
    insert into addresses (user_id, name, line1, city, postal_code, country)
    select ${user.id}, '${name}', '${line1}', '${city}', '${postal_code}', '${country}'
    where not exists (select from addresses where user_id = ${user.id}) returning id
  ) update carts set address_id = home.id from home where carts.user_id = ${user.id}`)
}

/**
 * A shopper orders new listings of a maker, to be collected; `by: 'post'`, to be sent. @param quantities of each listing
 */
export async function sell(
  shop: Place,
  {
    maker,
    shopper,
    quantities = [2],
    by,
  }: { maker: Person; shopper: Person; quantities?: number[]; by?: 'post' },
): Promise<Order> {
  const pieces: number[] = []
  for (const quantity of quantities) {
    const { id } = await shop.list(maker, { stock: 20 })
    pieces.push(id)
    if (by) await sendsByPost(shop, maker)
    await shopper.post(`/api/cart_items/add/${id}`, { quantity })
  }
  if (by) await livesThere(shop, shopper)
  const { status, body } = await shopper.post('/api/orders/checkout')
  if (status !== 201) throw new Error(`the order failed: ${JSON.stringify(body)}`)
  return { id: body.id, pieces }
}
