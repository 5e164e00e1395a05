/** `npm start`: builds the pages unless they exist for these sources, then opens the shop. */
import { startBuilt } from '../src/main.ts'
import { builtFrom } from './build.ts'
import { runUntilSignal } from './run-until-signal.ts'

await runUntilSignal(async log => startBuilt(await builtFrom(log), log))
