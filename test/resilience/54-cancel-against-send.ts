import { withShop } from '../support/harness.ts'
import type { TestResponse } from '../support/person.ts'
import { Faults, type Outcome, type Scenario, type Target } from '../support/scenario.ts'

const ROUNDS = 100
const STOCK = 1_000
const PIECES = 2
const GONE = /^(Nothing of this order is open any more|Only an order that is Pending can be cancelled)/

/** A maker sends an order while its shopper, or the maker in another tab, cancels it; each time both at once. */
export async function cancelAgainstSend(shop: Target, rounds: number): Promise<Outcome> {
  const faults = new Faults()
  const [maker, shopper] = [await shop.signUp('maker'), await shop.signUp('shopper')]
  const { id } = await shop.list(maker, { stock: STOCK })
  const won = { sent: 0, cancelled: 0 }
  for (let round = 0; round < rounds; round++) {
    await shopper.post(`/api/cart_items/add/${id}`, { quantity: PIECES })
    const order = (await shopper.post('/api/orders/checkout')).body.id
    const send = () => maker.post(`/api/sales/${order}/parcels`, {})
    const cancel = () =>
      round % 2 === 0
        ? shopper.delete(`/api/orders/${order}/delete-order`)
        : maker.post(`/api/sales/${order}/cancel`, { reason: 'It cracked.' })
    // Each of them is the first request in half of the rounds.
    const isSendFirst = round % 4 < 2
    const [first, second] = isSendFirst ? [send(), cancel()] : [cancel(), send()]
    const responses = await Promise.all([first, second])
    const [sent, cancelled] = (isSendFirst ? responses : responses.toReversed()) as [
      TestResponse,
      TestResponse,
    ]
    const { state } = (await maker.get(`/api/sales/${order}`)).body
    const isSent = sent.status === 201
    const loser = isSent ? cancelled : sent
    faults.expect(
      isSent !== (cancelled.status === 200) && loser.status === 409 && GONE.test(loser.body.message),
      `round ${round}: ${sent.status} and ${cancelled.status}, ${JSON.stringify(loser.body)}`,
    )
    faults.expect(state === (isSent ? 'sent' : 'cancelled'), `round ${round}: the order is ${state}`)
    won[isSent ? 'sent' : 'cancelled']++
    const left = await shop.stockOf(id)
    const expected = STOCK - PIECES * won.sent
    faults.expect(left === expected, `round ${round}: ${left} in stock instead of ${expected}`)
  }
  return faults.outcome(
    `${rounds} orders: ${won.sent} were sent and ${won.cancelled} cancelled, each time the other one was refused with 409; stock given back for the cancelled ones only`,
  )
}

export const scenario: Scenario = {
  risk: 'cancel against send',
  promise:
    'send and cancel an order at once, 100 times: one succeeds, the other is told with 409, stock is right',
  tested: true,
  run: () => withShop({}, shop => cancelAgainstSend(shop, ROUNDS)),
}
