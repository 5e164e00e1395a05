/** Reads .env, runs a program until Ctrl-C or SIGTERM, and turns a failed start into one clear sentence. */
import { existsSync } from 'node:fs'

export async function runUntilStopped(
  start: (log: (line: string) => void) => Promise<{ stop(): Promise<void> }>,
): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  let stopping = false
  const begun = start(line => console.log(line))
  const stop = async () => {
    if (stopping) return
    stopping = true
    console.log('Closing the shop…')
    try {
      await (await begun).stop()
      process.exit(0)
    } catch (error) {
      console.error('The shop did not close cleanly:', error)
      process.exit(1)
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  try {
    await begun
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code === 'EADDRINUSE')
      console.error('The port is taken by another program. Choose one: PORT=3001 npm start')
    else if (code === 'EACCES') console.error(`The system refuses access: ${message}`)
    else console.error(message)
    if (process.env.LOG_LEVEL === 'debug') console.error(error)
    process.exit(1)
  }
}
