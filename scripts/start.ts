/** `npm start`: builds the pages where they are missing or older than their sources, then opens the shop. */
import { join } from 'node:path'
import { start } from '../src/main.ts'
import { builtPages } from '../src/server/pages.ts'
import { buildIfStale } from './build.ts'
import { runUntilStopped } from './run.ts'

const dist = join(import.meta.dirname, '../dist')
await runUntilStopped(async log => {
  await buildIfStale(log)
  return start(() => builtPages(dist), log)
})
