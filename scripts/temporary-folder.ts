import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbedded } from '../src/platform/embedded-postgres/embedded.ts'

/** Runs work in a temporary folder, which is removed afterwards. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'thrum-'))
  try {
    // As root, the database server runs as another account, which must be able to enter.
    await chmod(folder, 0o755)
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** As `inTemporaryFolder`, with an empty database in the folder. */
export function withTemporaryDatabase<T>(
  work: (server: EmbeddedPostgres, folder: string) => Promise<T>,
): Promise<T> {
  return inTemporaryFolder(async folder => {
    const dataDir = join(folder, 'postgres')
    const server = await startEmbedded({ dataDir, log: () => {}, settings: { fsync: 'off' } })
    try {
      return await work(server, folder)
    } finally {
      await server.stop()
    }
  })
}
