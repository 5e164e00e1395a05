import { setTimeout as sleep } from 'node:timers/promises'
import { withShop } from './ground.ts'
import { Faults, type Row } from './row.ts'
import { Writers } from './writers.ts'

const CRASHES = 50

export const row: Row = {
  risk: 'app crash',
  promise:
    'kill -9 at random moments under writes, 50 times: every acknowledged order, cancel and upload is there; no half order',
  run: () =>
    withShop({}, async shop => {
      const faults = new Faults()
      const writers = new Writers(shop)
      await writers.arrive(6)
      for (let crash = 0; crash < CRASHES; crash++) {
        writers.begin()
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
        `${CRASHES} crashes: ${orders} orders, ${cancels} cancels and ${pictures} pictures acknowledged, all there`,
      )
    }),
}
