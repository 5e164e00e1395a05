import { afterAll, beforeAll } from 'vitest'
import { assertAudit } from './audit.ts'
import { openOperator } from './operators.ts'
import { openShop, type Person, type TestShop } from './shop.ts'

export const INSULT = 'You dropped it, you fool.'
/** The reason of a decision, and the rule that was broken. */
export const STATEMENT = { reason: 'An insult', rule: 'Be kind' }

/** A shop with two operators, a maker and a shopper, for the tests of a file about hidden replies to reviews. */
export class HiddenReplies {
  shop!: TestShop
  otto!: Person
  olga!: Person
  /** The maker. */
  ana!: Person
  /** The shopper. */
  ben!: Person

  constructor() {
    beforeAll(async () => {
      this.shop = await openShop()
      this.otto = await openOperator(this.shop)
      this.olga = await openOperator(this.shop, 'olga')
      this.ana = await this.shop.signUp('ana')
      this.ben = await this.shop.signUp('ben')
    })
    afterAll(async () => {
      await assertAudit(this.shop.connection, () => this.shop.files)
      await this.shop.close()
    })
  }

  hide = (review: number, by = this.otto) => by.post(`/api/operate/reviews/${review}/reply/hide`, STATEMENT)

  show = (review: number) =>
    this.otto.post(`/api/operate/reviews/${review}/reply/show`, { reason: 'It was a mistake' })

  write = (review: number, reply: string, by = this.ana) => by.put(`/api/reviews/${review}/reply`, { reply })

  /** A listing of Ana's with a review of Ben's and her reply. */
  replied = async (reply = INSULT): Promise<{ listing: number; review: number }> => {
    const { id } = await this.shop.list(this.ana, { name: 'Indigo bowl' })
    const added = await this.ben.post(`/api/reviews/${id}/create-review`, { review: 'Cracked.', stars: 1 })
    const review = added.body.id
    await this.write(review, reply)
    return { listing: id, review }
  }

  /** The replies that everybody reads, and whether each has a date. */
  read = async (listing: number) =>
    (await this.shop.visitor().get(`/api/reviews/${listing}/reviews`)).body.map(
      ({ reply, replied_at }: { reply: string | null; replied_at: string | null }) => [
        reply,
        replied_at !== null,
      ],
    )

  notices = async (person: Person) => (await person.get('/api/notices/')).body.notices
}
