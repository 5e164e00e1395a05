import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises'
import { type Database, isUnavailable } from './database.ts'

/** A statement that takes longer is stuck, and counts no more, milliseconds. */
const STUCK_MS = 250

/**
 * Makes one statement of what many ask one by one: all who ask in the same round of the event loop share it. Whoever asks
 * alone waits for no others. Where a shared statement fails, each is asked alone, so that nobody fails because of what
 * another asked; not so where the database is out of reach: that is nobody's fault, and more statements would not help.
 * @param ask answers in the order in which it was asked
 * @param most so many statements are under way at a time, those that are stuck aside; who comes meanwhile shares the
 * next, as in a group commit (DeWitt and others, "Implementation techniques for main memory database systems", 1984)
 */
export function sharing<A, V>(
  ask: (db: Database, asked: A[]) => Promise<(V | undefined)[]>,
  most = Number.POSITIVE_INFINITY,
): (db: Database, one: A) => Promise<V | undefined> {
  interface Round {
    asked: A[]
    /** Gives the answer of whoever stands at this place among those who asked. */
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
  /** One after the other, so that they take no more connections than they did together. */
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
 * As `sharing`, where whoever asks for the same may be told the same.
 * @param ask is given each key once, and answers for those that it finds
 */
export function together<V>(
  ask: (db: Database, keys: string[]) => Promise<Map<string, V>>,
): (db: Database, key: string) => Promise<V | undefined> {
  return sharing(async (db, asked) => {
    const found = await ask(db, [...new Set(asked)])
    return asked.map(key => found.get(key))
  })
}
