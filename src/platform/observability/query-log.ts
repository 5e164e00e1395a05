import type { EventEmitter } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { currentRequest } from './request-context.ts'

/** A statement that has ended, with or without an error. */
export interface Statement {
  /** With $1, $2, … in place of values. */
  text: string
  /** Milliseconds since the epoch. */
  began: number
  /** Duration, milliseconds. */
  took: number
  /** SQLSTATE or system code of its error, '' for an error without a code; undefined without an error. */
  errorCode?: string
}

/** Emits every statement of one pool. */
export type StatementEvents = EventEmitter<{ statement: [Statement] }>

/** Logs statements that take SLOW_QUERY_MS or longer, with their name and text, without values. */
export function logSlowQueries(app: FastifyInstance, statements: StatementEvents): void {
  const { slowQueryMs } = app.config
  if (slowQueryMs === 0) return
  statements.on('statement', ({ text, took }) => {
    if (took < slowQueryMs) return
    const { log } = currentRequest() ?? app
    log.warn(
      { statement: statementName(text), ms: Math.round(took), sql: text.slice(0, MAX_TEXT) },
      'slow query',
    )
  })
}
/** Characters of a statement in the log. */
const MAX_TEXT = 1_000

const VERB = /\b(insert|update|delete|merge|select)\b/i
const TABLES =
  /\b(?:(?<!distinct )from|join|into|(?<!\b(?:for|do|key) )update|using)\s+(?:only\s+|lateral\s+)?(?:"?\w+"?\.)?"?([a-z_]\w*)\b"?(?!\s*\()/gi
const CTE = /"?(\w+)"?\s+as\s+(?:(?:not\s+)?materialized\s+)?\(/gi

/** Names a statement by its verb and its tables, six at most: 'select sessions users', 'insert users'. */
export function statementName(text: string): string {
  const first = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  if (!VERB.test(first) && first !== 'with') return first
  const ctes = new Set([...text.matchAll(CTE)].map(([, name = '']) => name))
  const tables = new Set(
    [...text.matchAll(TABLES)].map(([, name = '']) => name).filter(name => !ctes.has(name)),
  )
  // A `with` is named by its last statement, or by the first one that changes rows.
  const verb =
    first === 'with' ? (/\b(insert|update|delete)\s+(?:into|from|")/i.exec(text)?.[1] ?? 'select') : first
  return [verb.toLowerCase(), ...[...tables].slice(0, 6)].join(' ')
}
