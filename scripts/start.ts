/** `npm start`: builds the pages where these sources were not built yet, then opens the shop. */
import { startBuilt } from '../src/main.ts'
import { builtFrom } from './build.ts'
import { runUntilSignal } from './run-until-signal.ts'

await runUntilSignal(async log => startBuilt(await builtFrom(log), log))
