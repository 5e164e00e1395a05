import type { PostgresPool } from 'kysely'
import type pg from 'pg'

/** For so long after the database gave no answer at all it is not asked, milliseconds. */
const SILENCE_MS = 1_000
/** Then somebody asks, and for so long nobody else does, milliseconds: they would only wait beside them. */
const TRIAL_MS = 2_000

const silence = () => new Error('timeout: the database gives no answer')

/**
 * The pool as it is asked for connections, with what to do about a database that has fallen silent: it is there, and
 * nothing comes back. Whoever has waited in vain to the end of the limits is told; everybody else is told at once, since
 * their waiting would come on top of what they have waited already. Now and then one tries, until there is an answer: a
 * circuit breaker that is half open ("Release It!", Nygard, 2007).
 */
export function heedingSilence(pool: pg.Pool): PostgresPool {
  /** When somebody may ask again, in milliseconds of `performance.now()`; 0 while the database answers. */
  let until = 0
  /** What to tell those who wait for a connection. */
  const waiting = new Set<(error: Error) => void>()
  const silent = () => {
    until = performance.now() + SILENCE_MS
    for (const tell of waiting) tell(silence())
  }
  const answers = () => {
    until = 0
  }
  pool.on('connect', client => {
    answers()
    giveUpWhenSilent(client, silent, answers)
  })
  const connect = async () => {
    const now = performance.now()
    if (now < until) throw silence()
    if (until > 0) until = now + TRIAL_MS
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>()
    waiting.add(reject)
    const connecting = pool.connect()
    connecting.then(resolve, error => {
      // Not where all connections are taken: then the database is busy, and answers.
      if (/connection timeout/.test(error.message)) silent()
      reject(error)
    })
    try {
      return await promise
    } catch (error) {
      // Whoever was told meanwhile does not need it any more.
      connecting.then(
        client => client.release(),
        () => {},
      )
      throw error
    } finally {
      waiting.delete(reject)
    }
  }
  return { connect, end: () => pool.end(), options: pool.options }
}

/**
 * Ends a connection that gave no answer at all, where the database would have ended the statement itself. Whoever had
 * the connection next, the rollback first of all, would wait behind that statement just as long.
 */
function giveUpWhenSilent(client: pg.PoolClient, silent: () => void, answers: () => void): void {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown> | undefined
  client.query = ((...args: unknown[]) => {
    const asked = query(...args)
    // A caller with a callback gets no promise.
    asked?.then(answers, error => {
      // A refusal is an answer.
      if (error.message !== 'Query read timeout') return answers()
      silent()
      void (client as unknown as pg.Client).end()
    })
    return asked
  }) as typeof client.query
}
