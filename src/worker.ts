/** One of several processes that serve the shop, as the first one starts it: see server/crew.ts. */
import { startWorker } from './main.ts'
import { runWorker } from './platform/cluster/worker-supervisor.ts'
import { giveBackMemory } from './platform/config/v8-flags.ts'
import { isUnavailable } from './platform/database/database.ts'

const log = (line: string) => process.stdout.write(`${line}\n`)

giveBackMemory()
await runWorker(told => startWorker(told, log), isUnavailable)
