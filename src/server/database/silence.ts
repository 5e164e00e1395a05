import type { PostgresPool } from 'kysely'
import type pg from 'pg'

/** For so long after the database gave no answer at all it is not asked, milliseconds. */
const SILENCE_MS = 1_000

/**
 * The pool as it is asked for connections, with what to do about a database that has fallen silent: it is there, and
 * nothing comes back. Whoever has waited in vain to the end of the limits is told; everybody else is told at once, for a
 * second, since their waiting would come on top of what they have waited already.
 */
export function heedingSilence(pool: pg.Pool): PostgresPool {
  let until = 0
  const silent = () => {
    until = performance.now() + SILENCE_MS
  }
  pool.on('connect', client => giveUpWhenSilent(client, silent))
  const connect = async () => {
    if (performance.now() < until) throw new Error('timeout: the database gives no answer')
    return pool.connect().catch(error => {
      // Not where all connections are taken: then the database is busy, and answers.
      if (/connection timeout/.test(error.message)) silent()
      throw error
    })
  }
  return { connect, end: () => pool.end(), options: pool.options }
}

/**
 * Ends a connection that gave no answer at all, where the database would have ended the statement itself. Whoever had
 * the connection next, the rollback first of all, would wait behind that statement just as long.
 */
function giveUpWhenSilent(client: pg.PoolClient, silent: () => void): void {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown> | undefined
  client.query = ((...args: unknown[]) => {
    const asked = query(...args)
    // A caller with a callback gets no promise.
    asked?.catch(error => {
      if (error.message !== 'Query read timeout') return
      silent()
      void (client as unknown as pg.Client).end()
    })
    return asked
  }) as typeof client.query
}
