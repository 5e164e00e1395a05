import type { PostgresPool } from 'kysely'
import pg from 'pg'
import { ObservedClient } from './observed-client.ts'

/** Interval of the trial queries while the circuit is open, milliseconds. */
const TRIAL_MS = 1_000

/** The error of a statement that is not sent, because another one has timed out. */
export const timeoutError = (): Error => new Error('timeout: the database does not respond')

/**
 * Circuit breaker around a pool ("Release It!", Nygard, 2007), for a database that accepts connections and does not respond.
 * After one timeout the circuit opens: waiting and further requests fail at once. A trial query every second closes it again.
 * @param pool its `Client` is an ObservedClient
 */
export function withCircuitBreaker(pool: pg.Pool): PostgresPool {
  let trials: NodeJS.Timeout | undefined
  /** Rejects the requests that wait for a connection. */
  const waiting = new Set<(error: Error) => void>()
  const close = () => {
    clearInterval(trials)
    trials = undefined
  }
  let isTrying = false
  /**
   * A trial query, one at a time: connections that nobody waits for any more would hold up the database when it goes on.
   * Its response closes the circuit; its timeout ends the connection as that of any other query.
   */
  const probe = async () => {
    if (isTrying) return
    isTrying = true
    const client = await pool.connect().catch(() => undefined)
    // The next trial may succeed.
    await client?.query('select 1').catch(() => {})
    client?.release()
    isTrying = false
  }
  const open = () => {
    if (pool.ending) return
    for (const reject of waiting) reject(timeoutError())
    trials ??= setInterval(() => void probe(), TRIAL_MS).unref()
  }
  pool.on('connect', client => {
    close()
    if (!(client instanceof ObservedClient)) return
    client.finished.on('statement', (_, error) => {
      // An error of the database is a response. One of the connection is none: a rollback fails on it after a timeout.
      if (!error || error instanceof pg.DatabaseError) return close()
      if (error.message !== 'Query read timeout') return
      open()
      // The database itself cancels slow statements earlier: it is silent, and a rollback would wait as long.
      void client.end()
    })
  })
  const connect = async () => {
    if (trials) throw timeoutError()
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>()
    waiting.add(reject)
    const connecting = pool.connect()
    connecting.then(resolve, error => {
      // A pool without free connections is busy, and no reason to open the circuit.
      if (/connection timeout/.test(error.message)) open()
      reject(error)
    })
    try {
      return await promise
    } catch (error) {
      // The request was rejected meanwhile: its connection goes back.
      connecting.then(
        client => client.release(),
        () => {},
      )
      throw error
    } finally {
      waiting.delete(reject)
    }
  }
  const end = () => {
    close()
    return pool.end()
  }
  return { connect, end, options: pool.options }
}
