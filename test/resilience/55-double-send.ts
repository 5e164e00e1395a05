import { connect } from 'node:net'
import { type RealShop, until, withShop } from '../support/harness.ts'
import { countStatuses, type Person, times } from '../support/person.ts'
import { Faults, formatCounts, type Outcome, type Scenario } from '../support/scenario.ts'

const AT_ONCE = 20
const ROUNDS = 6

/** What a form of the Sold page sends, and the event that it makes. */
const forms: [path: string, body: object, kind: string][] = [
  ['parcels', {}, 'sent'],
  ['payments', { amount: 12.34, day: '2026-01-02' }, 'paid'],
  ['cancel', { reason: 'It cracked.' }, 'cancelled'],
]

async function doubleSend(shop: RealShop): Promise<Outcome> {
  const faults = new Faults()
  const [maker, shopper] = [await shop.signUp('maker'), await shop.signUp('shopper')]
  const { id } = await shop.list(maker, { stock: 1_000 })
  const all: Record<number, number> = {}
  let lost = 0
  for (let round = 0; round < ROUNDS; round++)
    for (const [path, body, kind] of forms) {
      await shopper.post(`/api/cart_items/add/${id}`, { quantity: 2 })
      const order = (await shopper.post('/api/orders/checkout')).body.id
      const url = `/api/sales/${order}/${path}`
      const key = `form-${round}`
      const post = () => maker.post(url, body, { 'idempotency-key': key })
      if (round % 2 === 0) {
        await cutAfterCommit(shop, maker, { url, body, key, order, kind })
        lost++
      }
      const answers = await times(AT_ONCE, post)
      for (const [status, count] of Object.entries(countStatuses(answers)))
        all[Number(status)] = (all[Number(status)] ?? 0) + count
      faults.expect(
        answers.every(({ status }) => status < 300),
        `${path}: ${formatCounts(countStatuses(answers))}`,
      )
      const events = await eventsOf(shop, order, kind)
      faults.expect(events === 1, `${path}: ${events} entries instead of one`)
      const [{ letters }] = await shop.rows(`select count(*)::int as letters from outbox as o
        join order_events as e on e.id = o.subject where e.order_id = ${order} and o.kind in ('parcel-sent', 'cancelled-by-maker')`)
      faults.expect(letters === (kind === 'paid' ? 0 : 1), `${path}: ${letters} letters`)
    }
  return faults.outcome(
    `${ROUNDS * forms.length} forms, ${AT_ONCE} times at once with one key, ${lost} of them after a response that was lost: ${formatCounts(all)}; one parcel, payment or cancellation each, and one letter`,
  )
}

async function eventsOf(shop: RealShop, order: number, kind: string): Promise<number> {
  const [{ events }] = await shop.rows(
    `select count(*)::int as events from order_events where order_id = ${order} and kind = '${kind}'`,
  )
  return events
}

interface Sent {
  url: string
  body: object
  key: string
  order: number
  kind: string
}

/** Sends a form, and cuts the connection when it is committed. */
async function cutAfterCommit(
  shop: RealShop,
  { cookie }: Person,
  { url, body, key, order, kind }: Sent,
): Promise<void> {
  const payload = JSON.stringify(body)
  const socket = connect(shop.port, '127.0.0.1').on('error', () => {})
  socket.pause()
  socket.write(
    `POST ${url} HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\nidempotency-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${payload.length}\r\n\r\n${payload}`,
  )
  await until(5_000, async () => (await eventsOf(shop, order, kind)) > 0)
  socket.resetAndDestroy()
}

export const scenario: Scenario = {
  risk: 'double send',
  promise:
    'a maker sends a parcel, payment or cancellation 20 times at once with one key, also after a lost response: it is there once, with one letter',
  run: () => withShop({}, doubleSend),
}
