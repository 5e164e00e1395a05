import { MAX_LINES } from '#cart/contract.ts'
import { type RealShop, withShop } from '../support/harness.ts'
import { countStatuses, type Person, times } from '../support/person.ts'
import { Faults, formatCounts, milliseconds, percentile, type Scenario } from '../support/scenario.ts'

const ORDERS = 50_000
const LINES = 17_000
const REVIEWS = 6_000
/** Connections that read without a pause. */
const READERS = 2
const READING_MS = 10_000
const OTHERS_MS = 500

/** Inserts more than a user could create: orders, a cart and reviews of one listing. */
async function plant({ rows }: RealShop, reader: Person, piece: number): Promise<void> {
  await rows(`insert into users (username, email, first_name, last_name, password_hash)
    select 'critic-' || n, 'critic-' || n || '@example.com', 'Rae', 'Reader', 'none' from generate_series(1, ${REVIEWS}) as n`)
  // With as many sellers as a real shop. The first one has as many products as an order has lines.
  await rows(`insert into products (seller_id, name, category, description, price_cents)
    select u.id, 'Bead', 'Art & Collectibles', 'Small', 100
    from generate_series(1, ${LINES}) as n
    join users as u on u.username = 'critic-' || case when n <= ${MAX_LINES} then 1 else 1 + n % 2000 end order by n`)
  await rows(`insert into stock_ledger (product_id, units, reason)
    select id, 1000000, 'opening' from products where name = 'Bead'`)
  await rows(`insert into carts (user_id) values (${reader.user.id}) on conflict do nothing`)
  await rows(`insert into cart_lines (user_id, product_id, quantity)
    select ${reader.user.id}, id, 1 from products where name = 'Bead'`)
  await rows(`insert into orders (id, purchase_id, user_id, seller_id, total_cents, created_at)
    select id, id, ${reader.user.id}, (select seller_id from products where name = 'Bead' order by id limit 1),
      case when n > ${ORDERS} - 100 then ${100 * MAX_LINES} else 100 end, now() + n * interval '1 microsecond'
    from (select nextval('ids') as id, n from generate_series(1, ${ORDERS}) as n) as numbered`)
  // The newest have the maximum number of lines.
  await rows(`insert into order_lines (order_id, product_id, name, price_cents, quantity)
    select o.id, p.id, 'Bead', 100, 1
    from (select id, total_cents from orders) as o
    cross join lateral (select id from products where name = 'Bead' order by id limit o.total_cents / 100) as p`)
  await rows(`insert into stock_ledger (product_id, units, reason, order_id)
    select product_id, -quantity, 'sale', order_id from order_lines`)
  await rows(`insert into reviews (product_id, user_id, review, stars)
    select ${piece}, id, repeat('Fine. ', 300), 4 from users where username like 'critic-%' or id = ${reader.user.id}`)
  await rows('analyze')
}

/** As many checkouts as the limit allows, and one more. */
async function exceedLimit(shop: RealShop, faults: Faults, limit: number, piece: number): Promise<string> {
  const buyer = await shop.signUp('buyer')
  await buyer.post(`/api/cart_items/add/${piece}`, { quantity: 1 })
  const responses = await times(limit + 20, () => buyer.post('/api/orders/checkout'))
  const refused = responses.filter(({ status }) => status === 429)
  const wait = Number(refused[0]?.headers['retry-after'])
  faults.expect(refused.length === 20, `${refused.length} of 20 refused`)
  faults.expect(wait > 0 && wait <= 3600, `Retry-After: ${wait}`)
  faults.expect(/^Too many tries/.test(refused[0]?.body.message ?? ''), 'no message')
  return formatCounts(countStatuses(responses))
}

export const scenario: Scenario = {
  risk: 'very long lists',
  timed: true,
  promise:
    '50,000 orders, 17,000 cart lines and 6,000 reviews of one user: all lists are capped and linked; no restart, others’ p99 under 500 ms; orders have a limit',
  run: () =>
    withShop({ LIMITS: 'on', LIMIT_ORDERS: '50' }, async shop => {
      const faults = new Faults()
      const [reader, maker, other] = await Promise.all([
        shop.signUp('reader'),
        shop.signUp('maker'),
        shop.signUp('other'),
      ])
      const { id } = await shop.list(maker, { stock: 1000 })
      await plant(shop, reader, id)
      const pid = shop.pid()
      // Fewer orders fit on a page if they have 200 lines.
      const lengths = {
        '/api/orders/': 5,
        '/api/orders/order-items/2': 100,
        [`/api/reviews/${id}/reviews`]: 100,
      }
      const lists = Object.keys(lengths)
      for (const [list, length] of Object.entries(lengths)) {
        const { body, headers } = await reader.get(list)
        faults.expect(body.length === length, `${list}: ${body.length} entries`)
        const next = /^<([^>]+)>; rel="next"$/.exec(String(headers.link))?.[1]
        const second = next === undefined ? [] : (await reader.get(next)).body
        faults.expect(second.length === length, `${list}: the link leads to ${second.length}`)
      }
      const cart = `/api/cart_items/${reader.user.id}`
      const lines = (await reader.get(cart)).body.cart_items.length
      faults.expect(lines === 200, `${lines} lines of the cart`)

      const pages = ['/orders/view', '/cart', `/products/${id}`]
      // Warm-up.
      for (const path of [...pages, ...pages, '/', '/']) await reader.get(path)
      const until = performance.now() + READING_MS
      let read = 0
      const reading = times(READERS, async n => {
        for (let at = n; performance.now() < until; at++, read++) {
          const all = [...lists, ...pages, cart]
          // A new address each time, so that nothing is cached.
          const { status } = await reader.get(`${all[at % all.length]}?limit=${(at % 20) + 81}`)
          faults.expect(status === 200 || status === 503, `${all[at % all.length]}: ${status}`)
        }
      })
      const others: number[] = []
      const polling = times(3, async n => {
        for (let at = n; performance.now() < until; at++) {
          const began = performance.now()
          const { status } = await other.get(['/', `/products/${id}`, '/api/orders/', '/cart'][at % 4] ?? '/')
          others.push(performance.now() - began)
          faults.expect(status === 200 || status === 503, `others: ${status}`)
        }
      })
      await Promise.all([reading, polling])
      const p99 = percentile(99, others)
      faults.expect(p99 < OTHERS_MS, 'others waited')
      faults.expect(shop.pid() === pid && shop.alive(), 'the process has ended')
      const limited = await exceedLimit(shop, faults, 50, id)
      return faults.outcome(
        `every list at most 100 a page and linked; ${read} reads of them over ${READERS} connections, p99 of ${others.length} other requests ${milliseconds(p99)}; orders of one user, limit 50 an hour: ${limited}`,
      )
    }),
}
