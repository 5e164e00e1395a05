import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withShop } from '../support/harness.ts'
import type { Person } from '../support/person.ts'
import { each, Faults, type Scenario } from '../support/scenario.ts'

const LISTINGS = 300
const PAGE = 7

/** A preloaded program that shifts the process's clock by so many hours. */
const offBy = (hours: number) => `
const Right = Date
const now = () => Right.now() + ${hours} * 3600_000
globalThis.Date = class Date extends Right {
  constructor(...given) { super(...(given.length === 0 ? [now()] : given)) }
  static now() { return now() }
}`

/** Ids in the order of the list, page by page, with read-your-writes. */
async function listed(person: Person): Promise<number[]> {
  const ids: number[] = []
  for (let cursor = ''; ; ) {
    const { body } = await person.get(`/api/products/?limit=${PAGE}${cursor && `&cursor=${cursor}`}`)
    for (const { id } of body.products) ids.push(id)
    if (body.next_cursor === null) return ids
    cursor = encodeURIComponent(body.next_cursor)
  }
}

export const scenario: Scenario = {
  risk: 'clock',
  promise: 'clock a day off, unusual time zones, equal timestamps: stable newest-first order',
  async run() {
    const faults = new Faults()
    for (const [hours, zone] of [
      [24, 'Pacific/Chatham'],
      [-24, 'America/St_Johns'],
    ] as const) {
      const preload = join(tmpdir(), `thrum-clock-${process.pid}-${hours}.mjs`)
      await writeFile(preload, offBy(hours))
      await withShop({ TZ: zone, NODE_OPTIONS: `--import=file://${preload}` }, async shop => {
        const where = `${hours} h, ${zone}`
        const seller = await shop.signUp('seller')
        await each(Array(LISTINGS).keys(), 4, () => shop.list(seller))
        await shop.rows(`update products set created_at = '2026-01-01T00:00:00Z'`)
        const equal = await listed(seller)
        faults.expect(
          equal.length === LISTINGS && new Set(equal).size === LISTINGS,
          `${where}: ${equal.length} listed`,
        )
        faults.expect(
          equal.every((id, at) => at === 0 || id < equal[at - 1]!),
          `${where}: equal moments are out of order`,
        )
        faults.expect(String(await listed(seller)) === String(equal), `${where}: another order the next time`)
        const { id, created_at } = await shop.list(seller)
        faults.expect((await listed(seller))[0] === id, `${where}: the newest is not the first`)
        const off = Math.abs(Date.parse(created_at) - Date.now())
        faults.expect(created_at.endsWith('Z') && off < 60_000, `${where}: listed at ${created_at}`)
        await seller.post(`/api/cart_items/add/${id}`, { quantity: 1 })
        const orders: number[] = []
        for (let n = 0; n < 3; n++) {
          orders.unshift((await seller.post('/api/orders/checkout')).body.id)
          await seller.post(`/api/cart_items/add/${id}`, { quantity: 1 })
        }
        const shown = (await seller.get('/api/orders/')).body.map((order: { id: number }) => order.id)
        faults.expect(String(shown) === String(orders), `${where}: orders ${shown} instead of ${orders}`)
        faults.expect((await seller.get('/api/auth/')).status === 200, `${where}: the session has ended`)
      })
    }
    return faults.outcome(
      `a day ahead and a day behind, two unusual zones: ${LISTINGS} listings with one timestamp in pages of ${PAGE}, each once, larger ids first; new ones and orders newest first, with the right time`,
    )
  },
}
