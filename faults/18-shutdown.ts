import { times } from '../test/person.ts'
import { until, withShop } from './ground.ts'
import { Faults, inWords, milliseconds, type Row } from './row.ts'

const REQUESTS = 100
const EXIT_MS = 10_000

export const row: Row = {
  risk: 'shutdown',
  timed: true,
  promise: 'SIGTERM with 100 requests in flight: 0 failed, exit within 10 s',
  run: () =>
    withShop({}, async shop => {
      const faults = new Faults()
      const shopper = await shop.signUp('shopper')
      const { id } = await shop.list(shopper, { stock: 50 })
      const { body: line } = await shopper.post(`/api/cart_items/add/${id}`, { quantity: 1 })
      const counts: Record<number, number> = {}
      let answered = 0
      // Changes of one cart stand in line, so that most of them are under way for a while.
      const requests = times(REQUESTS, async n => {
        const { status } = await shopper
          .put(`/api/cart_items/${line.id}`, { quantity: (n % 30) + 1 })
          .catch(() => ({ status: 0 }))
        counts[status] = (counts[status] ?? 0) + 1
        answered++
      })
      // All have arrived once a later one is answered: connections are taken in their order.
      await until(5_000, async () => (await shop.visitor().get('/healthz')).status === 200)
      const before = answered
      const { took, code } = await shop.stop()
      await requests
      faults.expect(counts[200] === REQUESTS, inWords(counts))
      faults.expect(took < EXIT_MS && code === 0, `exit with ${code}`)
      faults.expect(before < REQUESTS / 2, `${before} were answered before SIGTERM: too few were in flight`)
      return faults.outcome(
        `${REQUESTS - before} in flight at SIGTERM, ${before} answered before: ${inWords(counts)}; exit after ${milliseconds(took)}`,
      )
    }),
}
