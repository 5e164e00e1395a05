import { setImmediate as immediate } from 'node:timers/promises'
import type { Database } from './database.ts'
import { isUnavailable } from './database-errors.ts'

/**
 * Batches single requests into one statement (DataLoader): all requests of one turn of the event loop share it. If a
 * batch fails, each of its requests is repeated alone, so that none fails because of another. While the database is
 * unavailable they are not repeated.
 * @param load returns the results in the order of the requests
 */
export function createBatcher<A, V>(
  load: (db: Database, requests: A[]) => Promise<(V | undefined)[]>,
): (db: Database, request: A) => Promise<V | undefined> {
  interface Batch {
    requests: A[]
    /** Returns the result of the request at this index. */
    results: Promise<(index: number) => Promise<V | undefined> | V | undefined>
  }
  const batches = new WeakMap<Database, Batch>()
  /** One after the other, so that they need no more connections than the batch did. */
  const runOneByOne = (db: Database, requests: A[]) => {
    let previous: Promise<unknown> = Promise.resolve()
    const results = requests.map(request => {
      const result = previous.then(() => load(db, [request]))
      previous = result.catch(() => {})
      return result
    })
    return async (index: number) => (await results[index])?.[0]
  }
  const openBatch = (db: Database): Batch => {
    const requests: A[] = []
    const start = async () => {
      await immediate()
      batches.delete(db)
      return load(db, requests).then(
        all => (index: number) => all[index],
        error => {
          if (requests.length === 1 || isUnavailable(error)) throw error
          return runOneByOne(db, requests)
        },
      )
    }
    const batch = { requests, results: start() }
    batches.set(db, batch)
    return batch
  }
  return async (db, request) => {
    const { requests, results } = batches.get(db) ?? openBatch(db)
    const index = requests.push(request) - 1
    return (await results)(index)
  }
}

/**
 * As `createBatcher`, for lookups by key: equal keys share one result.
 * @param load receives each key once, and returns those that it finds
 */
export function batchLookups<V>(
  load: (db: Database, keys: string[]) => Promise<Map<string, V>>,
): (db: Database, key: string) => Promise<V | undefined> {
  return createBatcher(async (db, requests) => {
    const found = await load(db, [...new Set(requests)])
    return requests.map(key => found.get(key))
  })
}
