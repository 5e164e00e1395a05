import { Client, DatabaseError } from 'pg'
import type { Paths } from './paths.ts'
import { Busy } from './retry.ts'
import { DATABASE, PORT, USER } from './settings.ts'

/** Goes before the pid of the process that launched a server, in that server's cluster_name. */
export const OWNER = 'thrum-'

/** For pg. `port` (it only names the socket) and `ssl` are given, so that no PGPORT or PGSSLMODE decides. */
export const connection = ({ socketDir }: Paths) =>
  ({ host: socketDir, port: PORT, user: USER, database: DATABASE, ssl: false }) as const

/**
 * Asks the server for the pid of the process of ours that launched it; 'other': it was not ours.
 * @returns undefined where nobody listens
 * @throws Busy where it is starting, stopping or full, Error where it refuses us
 */
export async function probe(place: Paths): Promise<number | 'other' | undefined> {
  const client = new Client({ ...connection(place), connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ name: string }>(`select current_setting('cluster_name') as name`)
    return Number(rows[0]?.name.split(OWNER)[1]) || 'other'
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined
    const Kind = error instanceof DatabaseError && !/^5[37]/.test(code) ? Error : Busy
    throw new Kind(`PostgreSQL in ${place.dataDir} does not answer: ${message}`)
  } finally {
    await client.end().catch(() => {})
  }
}
