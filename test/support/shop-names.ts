import { afterAll, beforeAll, expect } from 'vitest'
import { expectRefusal } from './expect.ts'
import { openShop, type Person, type TestShop } from './shop.ts'

const TAKEN = 'This shop name is taken, or looks like one that is. Please choose another one'
export const pageOf = ({ user }: Person): string => `/shops/${encodeURIComponent(user.username)}`
/** A maker saves their page with another name. */
export const say = (maker: Person, fields: { name?: string; shows_name?: boolean }) =>
  maker.put(`/api${pageOf(maker)}`, { words: '', place: maker.town, ...fields })

/** A shop, for the tests of a file about names of shops. */
export class ShopNames {
  shop!: TestShop

  constructor() {
    beforeAll(async () => {
      this.shop = await openShop()
    })
    afterAll(() => this.shop.close())
  }

  /** A maker whose shop has this name. */
  named = async (name: string): Promise<Person> => {
    const maker = await this.shop.signUp('maker')
    expect((await say(maker, { name })).status).toBe(200)
    return maker
  }

  /** Another maker cannot have it. @returns who tried */
  expectTaken = async (name: string): Promise<Person> => {
    const other = await this.shop.signUp('other')
    expectRefusal(await say(other, { name }), 409, TAKEN)
    return other
  }
}
