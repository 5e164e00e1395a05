/** `npm start`: builds the pages where these sources were not built yet, then opens the shop. */
import { startBuilt } from '../src/main.ts'
import { builtFrom } from './build.ts'
import { runUntilStopped } from './run.ts'

await runUntilStopped(async log => startBuilt(await builtFrom(log), log))
