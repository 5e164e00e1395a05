import { afterAll, beforeAll } from 'vitest'
import { stocksOf, varied } from './listings.ts'
import { aMug, openShop, type Person, type TestShop } from './shop.ts'

/** A shop with a maker whose listings have variations. */
export class VariedListings {
  shop!: TestShop
  ana!: Person

  constructor() {
    beforeAll(async () => {
      this.shop = await openShop()
      this.ana = await this.shop.signUp('ana')
    })
    afterAll(() => this.shop.close())
  }

  list = async (variations: object = varied, fields = {}) =>
    (await this.ana.post('/api/products/', { ...aMug, ...fields, variations })).body
  at = async (id: number) => (await this.ana.get(`/api/products/${id}`)).body
  details = async (id: number) => (await this.ana.get(`/api/products/${id}/details`)).body.variations
  stocks = (id: number) => stocksOf(this.ana, id)
  /** The present listing with other combinations, as a form sends it. */
  save = async (id: number, variations: object | undefined, change = {}) => {
    const { price, stock } = await this.at(id)
    const listing = { ...aMug, price, stock, stock_shown: stock, ...change, variations }
    return this.ana.put(`/api/products/${id}`, listing)
  }
}
