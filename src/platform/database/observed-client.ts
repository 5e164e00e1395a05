import { EventEmitter } from 'node:events'
import pg from 'pg'
import type { Statement } from '../observability/query-log.ts'

/** Names of prepared statements, which are limited: a list of values may have any length, so that texts never end. */
const prepared = new Map<string, string>()
const MOST_PREPARED = 300
/**
 * The best index of the catalogue depends on the filters, so these are planned each time. A search by words
 * (`search_newest`) always uses the same one.
 */
const PLANNED_EACH_TIME = /\bfrom "?catalogue\b/

function nameOf(text: string): string | undefined {
  const known = prepared.get(text)
  if (known || prepared.size >= MOST_PREPARED || PLANNED_EACH_TIME.test(text)) return known
  const name = `shop_${prepared.size + 1}`
  prepared.set(text, name)
  return name
}

type Query = (...asked: unknown[]) => Promise<unknown> | undefined

/**
 * A connection of a pool (its option `Client`). A statement with values is prepared once, by a name, and from then on only
 * takes its values.
 */
export class ObservedClient extends pg.Client {
  /** Emits each statement that was answered or failed, before its caller gets the answer. */
  readonly answers = new EventEmitter<{ answer: [Statement, Error?] }>()

  // As the base class, whose seven overloads need not be repeated: `never` can be assigned to each of their results.
  override query(...[text, values, ...rest]: unknown[]): never {
    const query = super.query.bind(this) as Query
    const name = typeof text === 'string' && Array.isArray(values) && values.length > 0 && nameOf(text)
    const from = performance.now()
    const answer = name ? query({ name, text, values }, ...rest) : query(text, values, ...rest)
    // A caller with a callback gets no promise.
    answer?.then(
      () => this.#tell(text, from),
      error => this.#tell(text, from, error),
    )
    return answer as never
  }

  #tell(asked: unknown, from: number, error?: Error & { code?: string }): void {
    const text = typeof asked === 'string' ? asked : ((asked as { text?: string })?.text ?? '')
    const statement: Statement = {
      text,
      began: performance.timeOrigin + from,
      took: performance.now() - from,
      ...(error ? { failed: error.code ?? '' } : {}),
    }
    this.answers.emit('answer', statement, error)
  }
}
