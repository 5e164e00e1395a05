import type { PostgresPool } from 'kysely'
import type pg from 'pg'

/** A database that gave no answer is tried so often, milliseconds. */
const TRIAL_MS = 1_000

const silence = () => new Error('timeout: the database gives no answer')

/**
 * The pool as it is asked for connections, with what to do about a database that has fallen silent: it is there, and
 * nothing comes back. Whoever has waited in vain to the end of the limits is told; everybody else is told at once, since
 * their waiting would come on top of what they have waited already. Meanwhile it is tried every second, for nobody's
 * request, until there is an answer: a circuit breaker ("Release It!", Nygard, 2007).
 */
export function heedingSilence(pool: pg.Pool): PostgresPool {
  let trials: NodeJS.Timeout | undefined
  /** What to tell those who wait for a connection. */
  const waiting = new Set<(error: Error) => void>()
  const answers = () => {
    clearInterval(trials)
    trials = undefined
  }
  const silent = () => {
    if (pool.ending) return
    for (const tell of waiting) tell(silence())
    trials ??= setInterval(() => void attempt(pool), TRIAL_MS).unref()
  }
  pool.on('connect', client => {
    answers()
    giveUpWhenSilent(client, silent, answers)
  })
  const connect = async () => {
    if (trials) throw silence()
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
  const end = () => {
    answers()
    return pool.end()
  }
  return { connect, end, options: pool.options }
}

/** Asks for nothing: whether an answer comes is heard on the connection. One that gives none is given up like any other. */
async function attempt(pool: pg.Pool): Promise<void> {
  try {
    const client = await pool.connect()
    await client.query('select 1').finally(() => client.release())
  } catch {
    // The next one may have an answer.
  }
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
