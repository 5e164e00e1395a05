import { afterAll, beforeAll, beforeEach } from 'vitest'
import { aMug } from './listings.ts'
import { openOperator } from './operators.ts'
import { openShop, type Person, type TestShop } from './shop.ts'

/** An application for permission to sell. */
export const words = { words: 'I turn bowls from fallen ash.' }
export const sell = (person: Person) => person.post('/api/products/', aMug)
export const accept = (person: Person, code: string) => person.post('/api/selling/invitation', { code })

/** A shop with an operator who says who may sell: before each test, everybody. */
export class SellingRules {
  shop!: TestShop
  otto!: Person

  constructor() {
    beforeAll(async () => {
      this.shop = await openShop()
      this.otto = await openOperator(this.shop)
    })
    beforeEach(() => this.set('open'))
    afterAll(() => this.shop.close())
  }

  set = (who_may_sell: string, seller_details_required = false) =>
    this.otto.put('/api/operate/settings', {
      who_may_sell,
      seller_details_required,
      reason: 'The meeting decided',
    })

  invite = async (fields: { uses?: number; days?: number } = {}) => {
    const { body } = await this.otto.post('/api/operate/invitations', {
      note: 'The spring fair',
      uses: 1,
      days: 7,
      ...fields,
    })
    return { id: Number(body.id), code: String(body.path).split('=')[1] ?? '' }
  }
}
