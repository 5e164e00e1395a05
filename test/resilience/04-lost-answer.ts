import { connect } from 'node:net'
import { type RealShop, until, withShop } from '../support/harness.ts'
import type { Person } from '../support/person.ts'
import { Faults, type Outcome, type Scenario } from '../support/scenario.ts'

const TRIES = 20

/** Cuts the connection after the commit, then retries with the same key. */
async function lostAnswer(shop: RealShop): Promise<Outcome> {
  const faults = new Faults()
  const [seller, other] = [await shop.signUp('seller'), await shop.signUp('other')]
  const { id, price } = await shop.list(seller, { stock: 1000 })
  for (let n = 0; n < TRIES; n++) {
    const buyer = await shop.signUp('buyer')
    const key = `attempt-${n}`
    await buyer.post(`/api/cart_items/add/${id}`, { quantity: 2 })
    await cutAfterCommit(shop, buyer, key)
    const orders = (await buyer.get('/api/orders/')).body
    const retry = await checkout(buyer, { 'idempotency-key': key, 'expected-total': String(2 * price) })
    faults.expect(retry.status === 201 && retry.body.id === orders[0]?.id, `another answer: ${retry.status}`)
    const total = await checkout(buyer, { 'idempotency-key': key, 'expected-total': '1.00' })
    faults.expect(total.status === 422, `another total: ${total.status}`)
    await buyer.post(`/api/cart_items/add/${id}`, { quantity: 1 })
    const cart = await checkout(buyer, { 'idempotency-key': key })
    faults.expect(cart.status === 422, `another cart: ${cart.status}`)
    await other.post(`/api/cart_items/add/${id}`, { quantity: 1 })
    const theirs = await checkout(other, { 'idempotency-key': key })
    faults.expect(
      theirs.status === 201 && theirs.body.id !== orders[0]?.id,
      `another person: ${theirs.status}`,
    )
    const mine = (await buyer.get('/api/orders/')).body.length
    faults.expect(mine === 1, `${mine} orders instead of one`)
  }
  return faults.outcome(
    `${TRIES} responses lost after the commit: ${TRIES} times the same order; other contents 422; another user’s key had no effect`,
  )
}

const checkout = (person: Person, headers: Record<string, string>) =>
  person.post('/api/orders/checkout', undefined, headers)

/** Sends a checkout, and cuts the connection when the order is committed. */
async function cutAfterCommit(shop: RealShop, { cookie, user }: Person, key: string): Promise<void> {
  const socket = connect(shop.port, '127.0.0.1').on('error', () => {})
  socket.pause()
  socket.write(
    `POST /api/orders/checkout HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\nidempotency-key: ${key}\r\ncontent-length: 0\r\n\r\n`,
  )
  await until(
    5_000,
    async () => (await shop.rows(`select from orders where user_id = ${user.id}`)).length > 0,
  )
  socket.resetAndDestroy()
}

export const scenario: Scenario = {
  risk: 'lost response',
  promise:
    'cut the connection after the commit, retry with the same Idempotency-Key: the same order; other contents 422; another user’s key has no effect',
  run: () => withShop({}, lostAnswer),
}
