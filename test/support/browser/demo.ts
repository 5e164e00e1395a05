import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch } from '../launch.ts'

interface DemoShop {
  address: string
  /** Its DATA_DIR, for the commands of those who run it. */
  folder: string
  close(): Promise<void>
}

/**
 * The demo shop in a process of its own: the production build on a new database, on a free port. Close it when done.
 */
export async function openDemo(log: (line: string) => void): Promise<DemoShop> {
  const folder = await mkdtemp(join(tmpdir(), 'thrum-demo-'))
  // As root, the database server runs as another account, which must be able to enter.
  await chmod(folder, 0o755)
  log('Opening the shop…')
  const { child, output } = await launch({ PORT: '0', DEMO: 'on', DATA_DIR: folder })
  const [, address] = /The shop is open at (\S+)/.exec(output.join('')) ?? []
  if (!address) throw new Error('The shop prints no address')
  return {
    address,
    folder,
    async close() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
