import pg from 'pg'
import { type RealShop, until, withShop } from '../support/harness.ts'
import { times } from '../support/person.ts'
import { Faults, formatCounts, milliseconds, type Scenario } from '../support/scenario.ts'

const REQUESTS = 100
const EXIT_MS = 10_000
/** Shorter than the shop's lock timeout. */
const GATHER_MS = 2_500
/** More than requests run at once: else the metrics wait for a connection, longer than for a lock. */
const CONNECTIONS = '40'

/** Running and queued requests, by the shop's metrics. */
async function inFlight(shop: RealShop): Promise<{ running: number; waiting: number }> {
  const [, address = ''] = /Metrics are at (\S+)/.exec(shop.log) ?? []
  const text = await (await fetch(address)).text()
  const of = (name: string) =>
    Number(new RegExp(`^shop_queue_${name}\\{queue="requests"\\} (\\d+)`, 'm').exec(text)?.[1])
  return { running: of('running'), waiting: of('waiting') }
}

export const scenario: Scenario = {
  risk: 'shutdown',
  timed: true,
  promise: 'SIGTERM with 100 requests in flight: 0 failed, exit within 10 s',
  run: () =>
    withShop({ METRICS_PORT: '0', DATABASE_POOL: CONNECTIONS }, async shop => {
      const faults = new Faults()
      const shopper = await shop.signUp('shopper')
      const { id } = await shop.list(shopper, { stock: 50 })
      const { body: line } = await shopper.post(`/api/cart_items/add/${id}`, { quantity: 1 })
      const holder = new pg.Client(shop.connection())
      await holder.connect()
      // Locks the cart, so that no request finishes before the signal.
      await holder.query('begin')
      await holder.query(`select from carts where user_id = ${shopper.user.id} for update`)
      const counts: Record<number, number> = {}
      let answered = 0
      const requests = times(REQUESTS, async n => {
        const { status } = await shopper
          .put(`/api/cart_items/${line.id}`, { quantity: (n % 30) + 1 })
          .catch(() => ({ status: 0 }))
        counts[status] = (counts[status] ?? 0) + 1
        answered++
      })
      let inQueue = { running: 0, waiting: 0 }
      await until(GATHER_MS, async () => {
        inQueue = await inFlight(shop)
        return inQueue.running + inQueue.waiting === REQUESTS
      }).catch(() => undefined)
      faults.expect(
        inQueue.running + inQueue.waiting === REQUESTS && answered === 0,
        `not ${REQUESTS} were in flight, and ${answered} answered before SIGTERM`,
      )
      const stopped = shop.stop()
      // The signal has arrived when new connections are refused; then the cart is unlocked.
      await until(EXIT_MS, () =>
        fetch(`${shop.address}/healthz`).then(
          () => false,
          () => true,
        ),
      )
      await holder.query('rollback')
      await holder.end()
      const { took, code } = await stopped
      await requests
      faults.expect(counts[200] === REQUESTS, formatCounts(counts))
      faults.expect(took < EXIT_MS && code === 0, `exit with ${code}`)
      return faults.outcome(
        `${inQueue.running + inQueue.waiting} in flight at SIGTERM (${inQueue.running} running, ${inQueue.waiting} queued): ${formatCounts(counts)}; exit after ${milliseconds(took)}`,
      )
    }),
}
