/**
 * `npm run dev`: the shop on one port with hot reload of pages; the server restarts when its files change. This
 * process holds the database, so that it survives those restarts.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { openDatabase } from '../src/open-database.ts'
import { withSettings } from './cli/context.ts'

await withSettings(async config => {
  const database = await openDatabase(config, console.log)
  const server = join(import.meta.dirname, 'dev/server.ts')
  const child = spawn(process.execPath, ['--watch', '--watch-preserve-output', server], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => child.kill('SIGTERM'))
  const [code] = await once(child, 'exit')
  await database.stop()
  process.exitCode = code ?? 1
})
