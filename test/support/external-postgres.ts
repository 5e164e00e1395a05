import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../src/platform/embedded-postgres/embedded.ts'

/**
 * Runs work with an external PostgreSQL server, and removes it.
 * @param settings of the server: { max_connections: '10' }
 */
export async function withPostgres<T>(
  work: (url: string, folder: string) => Promise<T>,
  // Enough for two shops of several processes each.
  settings: Record<string, string> = { max_connections: '200' },
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'thrum-external-'))
  // As root, the server runs as another account, which must be able to enter.
  await chmod(folder, 0o755)
  const { connection, stop } = await startEmbedded({
    dataDir: join(folder, 'postgres'),
    log: () => {},
    settings,
  })
  try {
    const { user, database, host } = connection
    return await work(`postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`, folder)
  } finally {
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
}
