import { withShop } from '../support/harness.ts'
import { each, Faults, formatCounts, type Scenario } from '../support/scenario.ts'
import { checkOutTogether, emptyCarts, signUpMany } from './01-overselling.ts'

const PEOPLE = 200
const ROUNDS = 5
const sized = (size: string) => [{ question: 'Size', answer: size }]

export const scenario: Scenario = {
  risk: 'overselling a combination',
  timed: true,
  promise:
    'the last piece of one combination to 200 people, of whom 20 want another one that is in stock too, 5 rounds: 1 and 20 orders, 179 × 409, no 5xx, and the audit passes',
  run: () =>
    withShop({}, async shop => {
      const faults = new Faults()
      const seller = await shop.signUp('seller')
      const users = await signUpMany(shop, PEOPLE)
      const all: Record<number, number> = {}
      for (let round = 0; round < ROUNDS; round++) {
        const combinations = [
          { options: ['Small'], price: 12, stock: 1, sku: '' },
          { options: ['Large'], price: 18, stock: 50, sku: '' },
        ]
        const variations = [{ title: 'Size', options: ['Small', 'Large'] }]
        const { id } = await shop.list(seller, { variations: { variations, combinations } })
        await each([...users.entries()], 20, ([n, person]) =>
          person.post(`/api/cart_items/add/${id}`, {
            quantity: 1,
            answers: sized(n % 10 === 0 ? 'Large' : 'Small'),
          }),
        )
        const counts = await checkOutTogether(users, all)
        faults.expect(counts[201] === 21 && counts[409] === 179, `round ${round}: ${formatCounts(counts)}`)
        const left = await shop.rows(
          `select v.quantity from variants as v where v.product_id = ${id} order by v.position`,
        )
        faults.expect(
          JSON.stringify(left.map(({ quantity }) => quantity)) === '[0,30]',
          `round ${round}: left are ${JSON.stringify(left)}`,
        )
        await emptyCarts(users)
      }
      return faults.outcome(
        `${PEOPLE} people, ${ROUNDS} rounds: ${formatCounts(all)}; 0 and 30 are left each time`,
      )
    }),
}
