/** `npm start`: builds the pages where these sources were not built yet, then opens the shop. Only the building needs Vite. */
import { startBuilt } from '../src/main.ts'
import { ensureBuilt } from './build.ts'
import { runUntilSignal } from './cli/run-until-signal.ts'

await runUntilSignal(async log => startBuilt(await ensureBuilt(log), log))
