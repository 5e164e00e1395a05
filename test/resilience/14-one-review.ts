import { ONE_REVIEW } from '#reviews/contract.ts'
import { withShop } from '../support/harness.ts'
import { countStatuses, times } from '../support/person.ts'
import { Faults, formatCounts, type Outcome, type Scenario, type Target } from '../support/scenario.ts'

const CREATES = 50

/** Fifty concurrent reviews by one user. */
export async function oneReview(shop: Target): Promise<Outcome> {
  const faults = new Faults()
  const [seller, buyer] = [await shop.signUp('seller'), await shop.signUp('buyer')]
  const { id } = await shop.list(seller)
  const review = { review: 'Keeps the tea warm.', stars: 5 }
  const responses = await times(CREATES, () => buyer.post(`/api/reviews/${id}/create-review`, review))
  const counts = countStatuses(responses)
  const others = responses.filter(({ status }) => status !== 201)
  faults.expect(counts[201] === 1 && others.length === CREATES - 1, formatCounts(counts))
  faults.expect(
    others.every(({ status, body }) => status === 409 && body.message === ONE_REVIEW),
    `other words: ${others[0]?.body.message}`,
  )
  const [{ count }] = await shop.rows(`select count(*)::int from reviews where product_id = ${id}`)
  faults.expect(count === 1, `${count} rows`)
  return faults.outcome(`${formatCounts(counts)}, ${count} row, the specified message for ${others.length}`)
}

export const scenario: Scenario = {
  risk: 'one review per user',
  promise: '50 concurrent creates: 1 row, the specified message for 49',
  tested: true,
  run: () => withShop({}, oneReview),
}
