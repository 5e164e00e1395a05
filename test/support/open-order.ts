import { afterAll, beforeAll, beforeEach } from 'vitest'
import { openShop, type Person, type TestShop } from './shop.ts'
import { type Order, sell } from './sold.ts'

/** A shop in which, before each test, somebody new orders two and three pieces from a new maker, to be sent. */
export class OpenOrder {
  shop!: TestShop
  maker!: Person
  shopper!: Person
  order!: Order

  constructor() {
    beforeAll(async () => {
      this.shop = await openShop({ settings: { LIMITS: 'on' } })
    })
    beforeEach(async () => {
      this.maker = await this.shop.signUp('maker')
      this.shopper = await this.shop.signUp('shopper')
      const { maker, shopper } = this
      this.order = await sell(this.shop, { maker, shopper, quantities: [2, 3], by: 'post' })
    })
    afterAll(() => this.shop.close())
  }

  /** One more order of the shopper: of this maker, or of another one. */
  another = (maker = this.maker): Promise<Order> => sell(this.shop, { maker, shopper: this.shopper })
  at = (path: string, id = this.order.id): string => `/api/sales/${id}/${path}`
  /** A call of the maker about the order. */
  post = (path: string, body?: object, key?: string) =>
    this.maker.post(this.at(path), body, key ? { 'idempotency-key': key } : {})
  sale = async () => (await this.maker.get(`/api/sales/${this.order.id}`)).body
  first = (): number => this.order.pieces[0] ?? 0
  second = (): number => this.order.pieces[1] ?? 0
  /** Kinds of the letters to somebody, oldest first. */
  lettersTo = async ({ user }: Person): Promise<string[]> =>
    (await this.shop.rows(`select kind from outbox where recipient = ${user.id} order by created_at`)).map(
      ({ kind }) => kind,
    )
}
