import type { Listing } from '#products/contract.ts'
import type { Person, TestResponse } from './person.ts'
import type { TestShop } from './shop.ts'

/** A buyer, a seller, and the rows that the forms need. */
interface People {
  shop: TestShop
  maker: Person
  shopper: Person
  mug: Listing
  page: string
  /** Puts the mug into the cart. @returns id of the line */
  put: () => Promise<number>
  /** Orders the mug. @returns id of the order */
  order: () => Promise<number>
  /** Reviews the mug. @returns id of the review */
  create: () => Promise<number>
}

/** Signs up two people, and lists a mug of the first. */
export async function people(shop: TestShop): Promise<People> {
  const maker = await shop.signUp('maker')
  const shopper = await shop.signUp('shopper')
  const mug = await shop.list(maker, { name: 'Speckled mug', price: 10, stock: 9 })
  const page = `/products/${mug.id}`
  const review = { review: 'Holds tea.', stars: 5 }
  const put = async () => (await shopper.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })).body.id
  return {
    shop,
    maker,
    shopper,
    mug,
    page,
    put,
    async order() {
      await put()
      return (await shopper.post('/api/orders/checkout')).body.id
    },
    create: async () => (await shopper.post(`/api/reviews/${mug.id}/create-review`, review)).body.id,
  }
}

/** A form as a browser without scripts sends it, and its result. */
export interface Form {
  sends: (all: People) => Promise<[person: Person, answer: TestResponse]>
  /** Where it redirects; `P` is the product id, `O` that of the shopper’s order. */
  to: string
  /** Text on that page. */
  shows: string
}

/** A seller's profile. */
export async function profileOf(maker: Person): Promise<{ words: string; place: string }> {
  const { words, place } = (await maker.get(`/api/shops/${maker.user.username}`)).body
  return { words, place }
}
