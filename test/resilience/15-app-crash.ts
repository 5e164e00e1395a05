import { setTimeout as sleep } from 'node:timers/promises'
import { until, withShop } from '../support/harness.ts'
import { Faults, type Scenario } from '../support/scenario.ts'
import { type Acknowledged, Writers } from '../support/writers.ts'

const CRASHES = 50
/** Within so many ms every kind of write is acknowledged at least once, also by several new processes. */
const WRITTEN_MS = 20_000

export const scenario: Scenario = {
  risk: 'app crash',
  slow: true,
  promise:
    'kill -9 at random moments under writes, 50 times: no acknowledged order, cancel or upload is lost; no partial order',
  run: () =>
    withShop({}, async shop => {
      const faults = new Faults()
      const writers = new Writers(shop)
      await writers.arrive(6)
      for (let crash = 0; crash < CRASHES; crash++) {
        const before = writers.acknowledged
        writers.begin()
        // Every other crash waits for a write; otherwise slow starts would leave nothing to lose.
        if (crash % 2 === 0) await until(WRITTEN_MS, async () => moreThan(before, writers.acknowledged))
        await sleep(50 + Math.random() * 700)
        await shop.kill()
        await writers.end()
        await shop.start()
      }
      await writers.check(faults)
      const { orders, cancels, pictures } = writers.acknowledged
      faults.expect(
        Math.min(orders, cancels, pictures) >= CRASHES / 2,
        'too little was written to show anything',
      )
      return faults.outcome(
        `${CRASHES} crashes: ${orders} orders, ${cancels} cancels and ${pictures} pictures acknowledged, none lost`,
      )
    }),
}

const moreThan = (before: Acknowledged, now: Acknowledged) =>
  now.orders > before.orders && now.cancels > before.cancels && now.pictures > before.pictures
