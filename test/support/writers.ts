import sharp from 'sharp'
import type { RealShop } from './harness.ts'
import type { Person } from './person.ts'
import type { Faults } from './scenario.ts'

/** Stock of the listing that all buy, so that no sale fails. */
const STOCK = 900_000

/** Numbers of acknowledged writes. */
export interface Acknowledged {
  orders: number
  cancels: number
  pictures: number
}

/** Users who write without pause, and record everything that was acknowledged. */
export class Writers {
  readonly statuses = new Map<number, number>()
  /** Requests without a response. */
  unanswered = 0
  readonly #shop: RealShop
  readonly #buyers: Person[] = []
  #seller!: Person
  #mug = 0
  #photo!: Buffer
  /** Order → its buyer. */
  readonly #ordered = new Map<number, Person>()
  readonly #cancelled = new Set<number>()
  /** Cancels without a response: they may have happened. */
  readonly #unsure = new Set<number>()
  readonly #pictures: string[] = []
  #writing = false
  #loops: Promise<void>[] = []

  constructor(shop: RealShop) {
    this.#shop = shop
  }

  async arrive(buyers: number): Promise<void> {
    this.#seller = await this.#shop.signUp('seller')
    for (let n = 0; n < buyers; n++) this.#buyers.push(await this.#shop.signUp('buyer'))
    this.#mug = (await this.#shop.list(this.#seller, { stock: STOCK })).id
    this.#photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
  }

  begin(): void {
    this.#writing = true
    this.#loops = [
      ...this.#buyers.map(buyer => this.#loop(() => this.#buy(buyer))),
      this.#loop(() => this.#upload()),
    ]
  }

  async end(): Promise<void> {
    this.#writing = false
    await Promise.all(this.#loops)
  }

  async #loop(write: () => Promise<void>): Promise<void> {
    while (this.#writing) {
      await write().catch(() => {
        this.unanswered++
      })
      // A pause, so that refusals do not become a flood.
      await new Promise(resolve => setTimeout(resolve, 2))
    }
  }

  #count<T extends { status: number }>(response: T): T {
    this.statuses.set(response.status, (this.statuses.get(response.status) ?? 0) + 1)
    return response
  }

  /** Adds a unit to the cart and orders it; every third order is cancelled. */
  async #buy(buyer: Person): Promise<void> {
    const added = this.#count(await buyer.post(`/api/cart_items/add/${this.#mug}`, { quantity: 1 }))
    if (added.status !== 201) return
    const { status, body } = this.#count(await buyer.post('/api/orders/checkout'))
    if (status !== 201) return
    this.#ordered.set(body.id, buyer)
    if (this.#ordered.size % 3 > 0) return
    this.#unsure.add(body.id)
    const cancel = this.#count(await buyer.delete(`/api/orders/${body.id}/delete-order`))
    if (cancel.status === 200) this.#cancelled.add(body.id)
  }

  async #upload(): Promise<void> {
    const listing = this.#count(await this.#seller.post('/api/products/', { ...aBowl }))
    if (listing.status !== 201) return
    const { status, body } = this.#count(
      await this.#seller.upload(`/api/products/${listing.body.id}/images`, this.#photo),
    )
    if (status === 201) this.#pictures.push(body.url)
  }

  get acknowledged(): Acknowledged {
    return { orders: this.#ordered.size, cancels: this.#cancelled.size, pictures: this.#pictures.length }
  }

  /** Checks that everything acknowledged is there, no order is partial, and no unit was lost. */
  async check(faults: Faults): Promise<void> {
    for (const buyer of this.#buyers) {
      const pending = new Set(await ordersOf(buyer, faults))
      for (const [id, owner] of this.#ordered) {
        if (owner !== buyer) continue
        if (this.#cancelled.has(id))
          faults.expect(!pending.has(id), `order ${id} was cancelled, and is pending`)
        else if (!this.#unsure.has(id)) faults.expect(pending.has(id), `order ${id} is gone`)
      }
    }
    for (const url of this.#pictures) {
      const { status } = await this.#shop.visitor().get(url)
      faults.expect(status === 200, `the picture ${url} is gone: ${status}`)
    }
    const incomplete = await this.#shop.rows(
      `select o.id from orders o left join order_lines l on l.order_id = o.id group by o.id
       having o.postage_cents + sum(l.price_cents * l.quantity) is distinct from o.total_cents`,
    )
    faults.expect(incomplete.length === 0, `${incomplete.length} half orders`)
    const [{ units }] = await this.#shop.rows(
      `select s.quantity + (select coalesce(sum(l.quantity), 0) from order_lines l join orders o on o.id = l.order_id
       where o.status <> 'Cancelled' and l.product_id = s.product_id)::int as units
       from stock s where s.product_id = ${this.#mug}`,
    )
    faults.expect(units === STOCK, `stock and orders hold ${units} pieces instead of ${STOCK}`)
  }
}

const aBowl = {
  name: 'Ash bowl',
  category: 'Home & Living',
  description: 'Turned from one piece.',
  price: 30,
  stock: 1,
}

/** Ids of all pending orders of a user, over all pages. */
async function ordersOf(buyer: Person, faults: Faults): Promise<number[]> {
  const ids: number[] = []
  for (let page: string | undefined = '/api/orders/'; page !== undefined; ) {
    const { status, body, headers } = await buyer.get(page)
    faults.expect(status === 200, `orders cannot be read: ${status}`)
    ids.push(...(body as { id: number }[]).map(({ id }) => id))
    page = /^<([^>]+)>; rel="next"$/.exec(String(headers.link))?.[1]
  }
  return ids
}
