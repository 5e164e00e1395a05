import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises'
import { type Database, isUnavailable } from './database.ts'

/** A batch that runs longer no longer counts towards the limit, milliseconds. */
const STUCK_MS = 250

/**
 * Batches single requests into one statement (DataLoader): all requests of one round of the event loop share it. If a
 * batch fails, each of its requests is repeated alone, so that none fails because of another. While the database is
 * unavailable they are not repeated.
 * @param ask answers in the order of the requests
 * @param most maximum number of concurrent batches, without those that are stuck. Requests that arrive meanwhile share the
 * next batch, as in a group commit (DeWitt and others, "Implementation techniques for main memory database systems", 1984)
 */
export function createBatcher<A, V>(
  ask: (db: Database, asked: A[]) => Promise<(V | undefined)[]>,
  most = Number.POSITIVE_INFINITY,
): (db: Database, one: A) => Promise<V | undefined> {
  interface Round {
    asked: A[]
    /** Returns the answer of the request at this index. */
    answers: Promise<(place: number) => Promise<V | undefined> | V | undefined>
  }
  const rounds = new WeakMap<Database, Round>()
  const underWay = new Set<Promise<unknown>>()
  const watch = (answers: Promise<unknown>) => {
    const gone: Promise<unknown> = Promise.race([answers, sleep(STUCK_MS, undefined, { ref: false })])
      .catch(() => {})
      .finally(() => underWay.delete(gone))
    underWay.add(gone)
  }
  /** One after the other, so that they need no more connections than the batch did. */
  const alone = (db: Database, asked: A[]) => {
    let before: Promise<unknown> = Promise.resolve()
    const answers = asked.map(one => {
      const answer = before.then(() => ask(db, [one]))
      before = answer.catch(() => {})
      return answer
    })
    return async (place: number) => (await answers[place])?.[0]
  }
  const begin = (db: Database): Round => {
    const asked: A[] = []
    const goOn = async () => {
      await nextRound()
      if (underWay.size >= most) await Promise.race(underWay)
      rounds.delete(db)
      const answers = ask(db, asked)
      if (Number.isFinite(most)) watch(answers)
      return answers.then(
        all => (place: number) => all[place],
        error => {
          if (asked.length === 1 || isUnavailable(error)) throw error
          return alone(db, asked)
        },
      )
    }
    const round = { asked, answers: goOn() }
    rounds.set(db, round)
    return round
  }
  return async (db, one) => {
    const { asked, answers } = rounds.get(db) ?? begin(db)
    const place = asked.push(one) - 1
    return (await answers)(place)
  }
}

/**
 * As `createBatcher`, for lookups by key: equal keys share one answer.
 * @param ask receives each key once, and returns those that it finds
 */
export function batchLookups<V>(
  ask: (db: Database, keys: string[]) => Promise<Map<string, V>>,
): (db: Database, key: string) => Promise<V | undefined> {
  return createBatcher(async (db, asked) => {
    const found = await ask(db, [...new Set(asked)])
    return asked.map(key => found.get(key))
  })
}
