import { setImmediate as nextRound } from 'node:timers/promises'
import type { Database } from './database.ts'

/**
 * Makes one statement of what many ask one by one: all who ask in the same round of the event loop share it. Whoever asks
 * alone waits for no others. A statement that fails fails for all of them.
 * @param ask is given each key once, and answers for those that it finds
 */
export function together<V>(
  ask: (db: Database, keys: string[]) => Promise<Map<string, V>>,
): (db: Database, key: string) => Promise<V | undefined> {
  const rounds = new WeakMap<Database, { keys: Set<string>; answers: Promise<Map<string, V>> }>()
  const begin = (db: Database) => {
    const keys = new Set<string>()
    const answers = nextRound().then(() => {
      rounds.delete(db)
      return ask(db, [...keys])
    })
    const round = { keys, answers }
    rounds.set(db, round)
    return round
  }
  return async (db, key) => {
    const { keys, answers } = rounds.get(db) ?? begin(db)
    keys.add(key)
    return (await answers).get(key)
  }
}
