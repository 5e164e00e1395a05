import { afterAll, beforeAll, expect } from 'vitest'
import type { MailServer } from './mail-server.ts'
import type { Person, TestShop } from './shop.ts'
import { openShopWithMail } from './shop-with-mail.ts'

/** A shop with letters, for tests of messages about an order. */
export class OrderMessages {
  shop!: TestShop
  mail!: MailServer
  /** Who sells and who buys in the last order. */
  mila!: Person
  ana!: Person

  constructor() {
    beforeAll(async () => {
      Object.assign(this, await openShopWithMail())
    })
    afterAll(() => this.shop.close())
  }

  /** Ana orders from Mila; both are new. @returns path of the messages */
  order = async (): Promise<string> => {
    this.mila = await this.shop.signUp('mila')
    this.ana = await this.shop.signUp('ana')
    const { id } = await this.shop.list(this.mila)
    await this.ana.post(`/api/cart_items/add/${id}`, { quantity: 1 })
    const { status, body } = await this.ana.post('/api/orders/checkout')
    expect(status).toBe(201)
    return `/api/orders/${body.id}/messages`
  }

  write = (person: Person, path: string, text: string, key?: string) =>
    person.post(path, { text }, key === undefined ? {} : { 'idempotency-key': key })

  read = async (person: Person, path: string): Promise<void> => {
    const { body } = await person.get(path)
    expect((await person.post(`${path}/read`, { up_to: body.newest_unread })).status).toBe(200)
  }

  outboxOf = ({ user }: Person) =>
    this.shop.db
      .selectFrom('outbox')
      .select(['subject', 'due_at', 'sent_at'])
      .where('recipient', '=', user.id)
      .where('kind', '=', 'message')
      .orderBy('created_at')
      .execute()

  unreadAtBell = async (person: Person) => (await person.get('/api/auth/session')).body.unread
}
