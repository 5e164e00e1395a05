/** Runs one scenario for `npm run faults`, and sends its outcome to the parent process. */
import { join } from 'node:path'
import type { Outcome, Scenario } from '../support/scenario.ts'

// Shops of the scenario end with this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
process.once('disconnect', () => process.exit(1))

const file = join(import.meta.dirname, process.argv[2] ?? '')
const { scenario } = (await import(file)) as { scenario: Scenario }
const outcome: Outcome = await scenario
  .run()
  .catch(error => ({ figure: `the program failed: ${(error as Error).stack}`, passed: false }))
process.send?.(outcome, () => process.exit(0))
