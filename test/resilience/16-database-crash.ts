import { setTimeout as sleep } from 'node:timers/promises'
import { databaseProcesses, ready, until, withShop } from '../support/harness.ts'
import { Faults, formatCounts, milliseconds, type Scenario } from '../support/scenario.ts'
import { Writers } from '../support/writers.ts'

const CRASHES = 20
/** The shop must serve again within so many ms. */
const HEALTHY_MS = 5_000

export const scenario: Scenario = {
  risk: 'database crash',
  timed: true,
  promise:
    'kill -9 of the database’s processes under load, 20 times: the app never exits, answers 503 meanwhile, is healthy within 5 s, nothing acknowledged is lost',
  run: () =>
    withShop({}, async shop => {
      const faults = new Faults()
      const writers = new Writers(shop)
      await writers.arrive(6)
      const before = String(shop.serving())
      const healthy: number[] = []
      writers.begin()
      for (let n = 0; n < CRASHES; n++) {
        await sleep(300 + Math.random() * 700)
        crash(shop.dataDir)
        healthy.push(await until(30_000, () => ready(shop)))
      }
      await writers.end()
      await writers.check(faults)
      faults.expect(shop.alive() && String(shop.serving()) === before, 'the app has exited')
      faults.expect(Math.max(...healthy) < HEALTHY_MS, 'too slow')
      faults.expect(writers.unanswered === 0, `${writers.unanswered} requests without a response`)
      const odd = [...writers.statuses.keys()].filter(status => ![200, 201, 503].includes(status))
      faults.expect(odd.length === 0, `answers of ${odd}`)
      faults.expect(
        (writers.statuses.get(503) ?? 0) > 0,
        'no 503 was seen: the load was too light to show anything',
      )
      const { orders, cancels, pictures } = writers.acknowledged
      return faults.outcome(
        `${CRASHES} crashes, healthy after ${milliseconds(Math.max(...healthy))} at most; ${formatCounts(Object.fromEntries(writers.statuses))}; ${orders} orders, ${cancels} cancels and ${pictures} pictures acknowledged, none lost`,
      )
    }),
}

/** Kills all of them. Stops the first before counting, so that it starts no other. */
function crash(dataDir: string): void {
  const [first] = databaseProcesses(dataDir)
  if (first === undefined) return
  send('SIGSTOP', first)
  for (const each of databaseProcesses(dataDir)) send('SIGKILL', each)
}

/** Some end by themselves when the first is gone. */
function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
