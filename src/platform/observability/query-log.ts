import type { FastifyInstance } from 'fastify'
import { currentRequest } from './request-context.ts'

/** A statement that the database has answered, or that failed. */
export interface Statement {
  /** With $1 in place of every value. */
  text: string
  /** Milliseconds since the epoch. */
  began: number
  /** Milliseconds until the answer was there. */
  took: number
  /** SQLSTATE or system code of its failure, '' where it has none; undefined: it went well. */
  failed?: string
}
type Hears = (statement: Statement) => void

/** The statements of one pool, for those who want to hear of each. */
export class QueryLog {
  readonly #hearers: Hears[] = []

  /** From now on tells of every statement that is answered. */
  hear(hears: Hears): void {
    this.#hearers.push(hears)
  }

  /** Tells all subscribers of a statement. */
  tell(statement: Statement): void {
    for (const hears of this.#hearers) hears(statement)
  }
}

/** Writes into the log which statements took long, by name and text; what people typed is in neither. */
export function logSlowQueries(app: FastifyInstance, statements: QueryLog): void {
  const { slowQueryMs } = app.config
  if (slowQueryMs === 0) return
  statements.hear(({ text, took }) => {
    if (took < slowQueryMs) return
    const { log } = currentRequest() ?? app
    log.warn({ statement: nameOf(text), ms: Math.round(took), sql: text.slice(0, LONGEST) }, 'slow query')
  })
}
/** Characters of a statement that the log shows. */
const LONGEST = 1_000

const names = new Map<string, string>()
/** Texts whose names are remembered. A list of values may be of any length, so there is no end of texts. */
const MOST_NAMES = 1_000

/** What a statement does with which tables, at most four: 'select sessions users', 'insert users'. */
export function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  if (names.size >= MOST_NAMES) names.clear()
  const name = named(text)
  names.set(text, name)
  return name
}

const VERB = /\b(insert|update|delete|merge|select)\b/i
const TABLES =
  /\b(?:(?<!distinct )from|join|into|(?<!\b(?:for|do|key) )update|using)\s+(?:only\s+|lateral\s+)?(?:"?\w+"?\.)?"?([a-z_]\w*)\b"?(?!\s*\()/gi
const SAID_BEFORE = /"?(\w+)"?\s+as\s+(?:(?:not\s+)?materialized\s+)?\(/gi

function named(text: string): string {
  const first = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  if (!VERB.test(first) && first !== 'with') return first
  const own = new Set([...text.matchAll(SAID_BEFORE)].map(([, name = '']) => name))
  const tables = new Set(
    [...text.matchAll(TABLES)].map(([, name = '']) => name).filter(name => !own.has(name)),
  )
  // What a `with` ends in is what it is for; one that changes something says so.
  const verb =
    first === 'with' ? (/\b(insert|update|delete)\s+(?:into|from|")/i.exec(text)?.[1] ?? 'select') : first
  return [verb.toLowerCase(), ...[...tables].slice(0, 4)].join(' ')
}
