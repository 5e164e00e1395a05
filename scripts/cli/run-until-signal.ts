import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from '../../src/main.ts'
import { messageOf } from './message-of.ts'

/** How long a signal waits for a start that is under way, ms: it may wait long itself, such as for a lock of the database. */
const START_MS = 10_000

/**
 * Reads `.env`, and runs a program until SIGINT, SIGTERM or SIGHUP. Prints a failed start as one sentence, with exit
 * code 1.
 * @param start starts the program
 */
export async function runUntilSignal(
  start: (log: (line: string) => void) => Promise<Running>,
): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  let stopping = false
  const started = start(line => console.log(line))
  const stop = async (code: 0 | 1) => {
    // npm forwards Ctrl-C, which the terminal also sends.
    if (stopping) return
    stopping = true
    console.log('Closing the shop…')
    try {
      // A start that was interrupted, such as a build, has nothing to stop. Its database ends with this process.
      const running = await Promise.race([started.catch(() => undefined), sleep(START_MS, undefined)])
      await running?.stop()
      process.exit(code)
    } catch (error) {
      console.error('The shop did not close cleanly:', error)
      process.exit(1)
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0))
  try {
    const { broken } = await started
    broken?.then(reason => {
      console.error(reason)
      return stop(1)
    })
  } catch (error) {
    if (stopping) return
    const { code } = error as { code?: string }
    const message = messageOf(error)
    if (code === 'EADDRINUSE')
      console.error('The port is taken by another program. Choose one: PORT=3001 npm start')
    else if (code === 'EACCES') console.error(`The system refuses access: ${message}`)
    else console.error(message)
    if (process.env.LOG_LEVEL === 'debug') console.error(error)
    process.exit(1)
  }
}
