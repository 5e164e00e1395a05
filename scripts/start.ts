/** `npm start`: builds the pages where these sources were not built yet, then opens the shop. */
import { existsSync, writeFileSync } from 'node:fs'
import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { startBuilt } from '../src/main.ts'
import { giveBackMemory } from '../src/platform/config/v8-flags.ts'
import { builtFrom } from './build.ts'
import { runUntilStopped } from './run.ts'

/**
 * Where sources are new, Node takes the types out of them, and what it does that with would stay loaded: 20 MB for as long
 * as the shop is open. Once they are compiled and kept, the program begins again in this same process and finds them so.
 */
async function beginAgainCompiled(built: string, isStopping: () => boolean): Promise<void> {
  const cache = getCompileCacheDir()
  // Windows cannot do this, and without a place for what is compiled there is nothing to find.
  if (!process.execve || !cache) return
  const done = join(cache, basename(built))
  if (existsSync(done)) return
  await import('../src/serve.ts')
  flushCompileCache()
  try {
    writeFileSync(done, '')
  } catch {
    // What cannot be kept will not be found either.
    return
  }
  // Who asked the shop to stop meanwhile is heard first: what begins again would know nothing of it. Signals are read between
  // two of these, and not always before the first.
  await setImmediate()
  await setImmediate()
  if (isStopping()) return
  const program = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  process.execve(process.execPath, program, process.env)
}

giveBackMemory()
await runUntilStopped(async (log, isStopping) => {
  const built = await builtFrom(log)
  await beginAgainCompiled(built, isStopping)
  return startBuilt(built, log)
})
