import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { launchShop } from '../support/harness.ts'

test('with several processes, a taken METRICS_PORT ends the start, and stops the database', async () => {
  const dataDir = await mkdtemp('/tmp/thrum-metrics-port-')
  // As root, the database server runs as another account, which must be able to enter.
  await chmod(dataDir, 0o755)
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(async () => {
    other.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const { port } = other.address() as AddressInfo
  await expect(launchShop(dataDir, { WEB_CONCURRENCY: '2', METRICS_PORT: String(port) })).rejects.toThrow(
    `METRICS_PORT ${port} cannot be opened`,
  )
  expect(existsSync(join(dataDir, 'postgres/PG_VERSION'))).toBe(true)
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
})
