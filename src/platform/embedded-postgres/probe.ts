import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import type { Paths } from './paths.ts'
import { DATABASE, PORT, USER } from './settings.ts'

/** Prefix of `cluster_name`, before the pid of the process that has launched the server. */
export const CLUSTER_NAME_PREFIX = 'thrum-'

/** Options for pg. `port` (a part of the socket's name) and `ssl` are given, so that PGPORT and PGSSLMODE have no effect. */
export const connection = ({ socketDir }: Paths) =>
  ({ host: socketDir, port: PORT, user: USER, database: DATABASE, ssl: false }) as const

/**
 * Queries a server for the pid of the process that has launched it.
 * @returns the pid; 'other' if no process of a shop has launched it; undefined if no server listens
 * @throws Busy while it is starting, stopping or out of connections, Error if it refuses the connection
 */
export async function probe(paths: Paths): Promise<number | 'other' | undefined> {
  const client = new Client({ ...connection(paths), connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ name: string }>(`select current_setting('cluster_name') as name`)
    return Number(rows[0]?.name.split(CLUSTER_NAME_PREFIX)[1]) || 'other'
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined
    const Kind = error instanceof DatabaseError && !/^5[37]/.test(code) ? Error : Busy
    throw new Kind(`PostgreSQL in ${paths.dataDir} does not answer: ${message}`)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Another process is starting or stopping the server. A later attempt may succeed. */
export class Busy extends Error {}

/** Calls `work` again while it throws `Busy`, for up to 15 s. @throws the last error */
export async function retry<T>(work: () => Promise<T>, stopping?: AbortSignal): Promise<T> {
  for (const limit = Date.now() + 15_000; ; await sleep(100)) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Busy) || Date.now() > limit || stopping?.aborted) throw error
    }
  }
}
