/** `npm start`: builds the pages where these sources were not built yet, then opens the shop. */
import { start } from '../src/main.ts'
import { builtPages } from '../src/server/renderer.ts'
import { builtFrom } from './build.ts'
import { runUntilStopped } from './run.ts'

await runUntilStopped(async log => {
  const folder = await builtFrom(log)
  return start(() => builtPages(folder), log)
})
