/** One of several processes that serve the shop, as the first one starts it: see server/crew.ts. */
import { startWorker } from './main.ts'
import { serveInCrew } from './server/crew.ts'
import { isUnavailable } from './server/database/database.ts'
import { giveBackMemory } from './server/memory.ts'

const log = (line: string) => process.stdout.write(`${line}\n`)

giveBackMemory()
await serveInCrew(told => startWorker(told, log), isUnavailable)
