import { join } from 'node:path'
import type { Config } from '#platform/config/config.ts'
import type { ConnectionOptions } from '#platform/database/database.ts'
import { startEmbedded } from '#platform/embedded-postgres/embedded.ts'
import { connectionSettings } from '#platform/embedded-postgres/settings.ts'

/** Connections of a process beside its pool: a listener, a migration, the demo's data. */
const CONNECTIONS_BESIDE_POOL = 3

interface OpenDatabase {
  connection: ConnectionOptions
  /** Stops the embedded server; leaves another one alone. */
  stop(): Promise<void>
}

/**
 * The database of the settings: the one at DATABASE_URL, or the embedded one, which is started unless a running shop has done
 * so. @param log gets a line for each step of its start
 * @param mustExist makes no new embedded database
 */
export async function openDatabase(
  { databaseUrl, databasePool, dataDir, workers }: Config,
  log: (line: string) => void,
  mustExist = false,
): Promise<OpenDatabase> {
  if (databaseUrl) return { connection: { connectionString: databaseUrl }, stop: async () => {} }
  const settings = connectionSettings(workers * (databasePool + CONNECTIONS_BESIDE_POOL))
  return startEmbedded({ dataDir: join(dataDir, 'postgres'), log, settings, mustExist })
}
