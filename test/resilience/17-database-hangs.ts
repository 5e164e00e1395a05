import { setTimeout as sleep } from 'node:timers/promises'
import { databaseProcesses, ready, until, withShop } from '../support/harness.ts'
import type { Person, TestResponse } from '../support/person.ts'
import { Faults, formatCounts, milliseconds, type Scenario } from '../support/scenario.ts'
import { signUpMany } from './01-overselling.ts'

const HANG_MS = 20_000
/** Every request must get its 503 within so many ms. */
const REFUSED_MS = 6_000
/** Recovery time after SIGCONT, ms. */
const RECOVERY_MS = 2_000
/** Duration of the check after the recovery, ms. */
const AFTER_MS = 2_000

interface Sample {
  call: number
  status: number
  began: number
  took: number
}

export const scenario: Scenario = {
  risk: 'database hangs',
  timed: true,
  promise: 'SIGSTOP for 20 s under load: 503 within 6 s, recovery within 2 s, no restart',
  run: () =>
    withShop({}, async shop => {
      const faults = new Faults()
      const users = await signUpMany(shop, 20)
      const { id } = await shop.list(users[0]!, { stock: 900_000 })
      const before = String(shop.serving())
      const samples: Sample[] = []
      let loading = true
      const load = async (person: Person, n: number) => {
        const calls: (() => Promise<TestResponse>)[] = [
          () => person.get(`/api/cart_items/${person.user.id}`),
          () => person.post(`/api/cart_items/add/${id}`, { quantity: 1 }),
          () => person.post('/api/orders/checkout'),
          () => person.get('/cart', { accept: 'text/html' }),
        ]
        for (let at = n; loading; at++) {
          const began = performance.now()
          const { status } = await calls[at % calls.length]!().catch(() => ({ status: 0 }))
          samples.push({ call: at % calls.length, status, began, took: performance.now() - began })
          await sleep(5)
        }
      }
      const loads = users.map(load)
      await sleep(1_000)
      const [postmaster = 0] = databaseProcesses(shop.dataDir)
      const stopped = performance.now()
      // First the one that starts the others: a server process that began meanwhile would go on.
      process.kill(postmaster, 'SIGSTOP')
      const processes = databaseProcesses(shop.dataDir)
      for (const process_ of processes) process.kill(process_, 'SIGSTOP')
      const alive = await sleep(HANG_MS).then(() => shop.visitor().get('/healthz'))
      for (const process_ of processes) process.kill(process_, 'SIGCONT')
      const resumed = performance.now()
      const recovery = await until(30_000, () => ready(shop))
      const settled = resumed + RECOVERY_MS
      await sleep(Math.max(0, settled - performance.now()) + AFTER_MS)
      loading = false
      await Promise.all(loads)
      const during = samples.filter(
        ({ began, took }) => began > stopped - 6_000 && began + took > stopped && began < resumed,
      )
      const after = samples.filter(({ began }) => began > settled)
      // Earlier requests count from SIGSTOP on.
      const waited = ({ began, took }: Sample) => began + took - Math.max(began, stopped)
      const last = during.toSorted((a, b) => waited(b) - waited(a))[0]
      const slowest = last ? waited(last) : 0
      const counts = countsOf(during)
      faults.expect(
        slowest < REFUSED_MS,
        `somebody waited too long: ${JSON.stringify(last)}, it stopped at ${milliseconds(stopped)} and went on at ${milliseconds(resumed)}`,
      )
      faults.expect((counts[503] ?? 0) > 0 && !counts[0] && !counts[500], `meanwhile ${formatCounts(counts)}`)
      faults.expect(
        recovery < RECOVERY_MS && after.length > 0 && after.every(({ status }) => status && status < 500),
        `recovery took ${milliseconds(recovery)}, then ${formatCounts(countsOf(after))}`,
      )
      faults.expect(alive.status === 200, 'not alive meanwhile')
      faults.expect(shop.alive() && String(shop.serving()) === before, 'the app has exited')
      return faults.outcome(
        `503 after ${milliseconds(slowest)} at most (${formatCounts(counts)}), ready ${milliseconds(recovery)} after SIGCONT, from ${milliseconds(RECOVERY_MS)} after it ${formatCounts(countsOf(after))}; the same process`,
      )
    }),
}

function countsOf(samples: Sample[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of samples) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
