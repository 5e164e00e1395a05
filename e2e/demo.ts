import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtFrom } from '../scripts/build.ts'
import { start } from '../src/main.ts'
import { builtPages } from '../src/server/pages/renderer.ts'

interface DemoShop {
  address: string
  close(): Promise<void>
}

/** The demo shop as anybody gets it: the production build on a fresh database, on a free port. Close it when done. */
export async function openDemo(log: (line: string) => void): Promise<DemoShop> {
  const folder = await mkdtemp(join(tmpdir(), 'thrum-demo-'))
  // As root the database runs as another account, which must reach its data here.
  await chmod(folder, 0o755)
  Object.assign(process.env, { PORT: '0', DEMO: 'on', LIMITS: 'off', DATA_DIR: folder })
  const built = await builtFrom(log)
  const { address, stop } = await start(
    () => builtPages(built),
    () => {},
  )
  return {
    address,
    async close() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
