/** Runs one row for `npm run faults`, and tells it what came of it. */
import { join } from 'node:path'
import type { Outcome, Scenario } from '../support/scenario.ts'

// Shops that the row has opened end with this process, however it is ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
process.once('disconnect', () => process.exit(1))

const { row } = (await import(join(import.meta.dirname, process.argv[2] ?? ''))) as { row: Scenario }
const outcome: Outcome = await row
  .run()
  .catch(error => ({ figure: `the program failed: ${(error as Error).stack}`, holds: false }))
process.send?.(outcome, () => process.exit(0))
