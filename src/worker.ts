/** Entry point of a worker process. The supervisor starts it: see platform/cluster/worker-supervisor.ts. */
import { startWorker } from './main.ts'
import { runWorker } from './platform/cluster/worker-supervisor.ts'
import { giveBackMemory } from './platform/config/v8-flags.ts'
import { isUnavailable } from './platform/database/database.ts'

const log = (line: string) => process.stdout.write(`${line}\n`)

giveBackMemory()
await runWorker(told => startWorker(told, log), isUnavailable)
