import { EventEmitter } from 'node:events'
import pg from 'pg'
import type { Statement } from '../observability/query-log.ts'

/** SQL text → name of its prepared statement. Limited, since lists of values of any length give any number of texts. */
const prepared = new Map<string, string>()
const MAX_PREPARED = 1_000
/** Matches statements that are not prepared. */
const plannedEachTime: RegExp[] = []

/** Makes the database plan each statement that selects from this table anew, since the best index depends on the values. */
export function planEachTime(table: string): void {
  plannedEachTime.push(new RegExp(`\\bfrom "?${table}\\b`))
}

function preparedName(text: string): string | undefined {
  const known = prepared.get(text)
  if (known || prepared.size >= MAX_PREPARED || plannedEachTime.some(one => one.test(text))) return known
  const name = `shop_${prepared.size + 1}`
  prepared.set(text, name)
  return name
}

type RunQuery = (...args: unknown[]) => Promise<unknown> | undefined

/**
 * A connection of a pool (its option `Client`), which reports each statement. A statement with values is prepared once under
 * a name; after that only its values are sent.
 */
export class ObservedClient extends pg.Client {
  /** Emits each statement that has run or failed, before its caller gets the result. */
  readonly finished = new EventEmitter<{ statement: [Statement, Error?] }>()

  // As the base class, whose seven overloads need not be repeated: `never` can be assigned to each of their results.
  override query(...[text, values, ...rest]: unknown[]): never {
    const query = super.query.bind(this) as RunQuery
    const name = typeof text === 'string' && Array.isArray(values) && values.length > 0 && preparedName(text)
    const from = performance.now()
    const result = name ? query({ name, text, values }, ...rest) : query(text, values, ...rest)
    // A caller with a callback gets no promise.
    result?.then(
      () => this.#emit(text, from),
      error => this.#emit(text, from, error),
    )
    return result as never
  }

  #emit(config: unknown, from: number, error?: Error & { code?: string }): void {
    const text = typeof config === 'string' ? config : ((config as { text?: string })?.text ?? '')
    const statement: Statement = {
      text,
      began: performance.timeOrigin + from,
      took: performance.now() - from,
      ...(error ? { errorCode: error.code ?? '' } : {}),
    }
    this.finished.emit('statement', statement, error)
  }
}
