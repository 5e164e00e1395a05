/** Entry point of a worker process. The supervisor starts it: see platform/cluster/worker-supervisor.ts. */
import { startWorker } from './main.ts'
import { runWorker } from './platform/cluster/worker-supervisor.ts'
import { isUnavailable } from './platform/database/database-errors.ts'

const log = (line: string) => process.stdout.write(`${line}\n`)

await runWorker(workerData => startWorker(workerData, log), isUnavailable)
