import type pg from 'pg'
import { ObservedClient } from '../../src/platform/database/observed-client.ts'

/** A value of a statement. JSON has no dates or bytes: a date is ms after the log began. */
type Value = string | number | boolean | null | { after: number } | { bytes: string } | Value[]

/** Statements of a release, in order, over one connection, while it does everything that it can do. */
export interface StatementLog {
  /** Its newest migration. */
  newest: string
  /** Each text once. */
  statements: string[]
  sent: Sent[]
}
interface Sent {
  /** Index in `statements`. */
  statement: number
  values?: Value[]
  /** SQLSTATE, if the statement failed and the release handled it. */
  failed?: string
}

const toValue = (value: unknown, began: number): Value => {
  if (value instanceof Date) return { after: value.getTime() - began }
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(each => toValue(each, began))
  return (value ?? null) as Value
}
const fromValue = (value: Value, began: number): unknown => {
  if (Array.isArray(value)) return value.map(each => fromValue(each, began))
  if (value === null || typeof value !== 'object') return value
  return 'after' in value ? new Date(began + value.after) : Buffer.from(value.bytes, 'base64')
}

/** Not of the shop: statements of pg-boss, which migrates its tables by itself, and the settings of a connection. */
const NOT_OURS = /\bpgboss\b|^SELECT |^set shop\.publishes/

/** Records the statements of all pools of this process that open later. */
export function recordStatements(newest: string): StatementLog {
  const began = Date.now()
  const log: StatementLog = { newest, statements: [], sent: [] }
  const indexes = new Map<string, number>()
  const query = ObservedClient.prototype.query as (...args: unknown[]) => Promise<unknown> | undefined
  ObservedClient.prototype.query = function (...[text, values, ...rest]: unknown[]) {
    const response = query.call(this, text, values, ...rest)
    if (typeof text !== 'string' || NOT_OURS.test(text)) return response as never
    const statement = indexes.get(text) ?? log.statements.push(text) - 1
    indexes.set(text, statement)
    const sent: Sent = { statement }
    if (Array.isArray(values) && values.length > 0) sent.values = values.map(value => toValue(value, began))
    log.sent.push(sent)
    response?.catch(error => {
      sent.failed = error.code
    })
    return response as never
  }
  return log
}

/** Outcome of a statement: its SQLSTATE, or columns with types, rows, and number of changed rows. */
type Outcome = { failed: string } | { columns: string[]; rows: string[]; changed: number | null }

/** Columns that depend on the clock; and `numbers`, which is only read at the start. */
const VARYING = ['wait', 'keys', 'numbers']
/** A row without values that vary: moments, and random ids. */
const steady = (row: Record<string, unknown>): string =>
  JSON.stringify(row, (column, value) => (VARYING.includes(column) ? '' : value)).replace(
    /\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)?|\d{14,}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g,
    'varies',
  )

/** Transactions of the log become savepoints of one that is rolled back. */
const SAVEPOINTS: Record<string, string> = {
  begin: 'savepoint sent_transaction',
  'start transaction isolation level repeatable read read only': 'savepoint sent_transaction',
  commit: 'release sent_transaction',
  rollback: 'rollback to sent_transaction; release sent_transaction',
}

/**
 * Replays a log over a connection, and rolls it back. Statements are prepared by name, as by the release, and stay
 * prepared.
 */
export async function replay({ statements, sent }: StatementLog, client: pg.Client): Promise<Outcome[]> {
  const began = Date.now()
  const outcomes: Outcome[] = []
  await client.query('select setval(seqrelid, seqstart, false) from pg_sequence')
  await client.query('begin')
  try {
    for (const { statement, values } of sent) {
      const text = statements[statement] ?? ''
      const savepoints = SAVEPOINTS[text]
      if (savepoints) {
        await client.query(savepoints)
        outcomes.push({ columns: [], rows: [], changed: null })
      } else outcomes.push(await outcomeOf(client, `sent_${statement}`, text, values ?? [], began))
    }
    return outcomes
  } finally {
    await client.query('rollback')
  }
}

async function outcomeOf(
  client: pg.Client,
  name: string,
  text: string,
  values: Value[],
  began: number,
): Promise<Outcome> {
  await client.query('savepoint sent_statement')
  try {
    const { fields, rows, rowCount, command } = await client.query({
      name,
      text,
      values: values.map(value => fromValue(value, began)),
    })
    // The search's time limit in the log was for another machine.
    await client.query('release sent_statement; set local statement_timeout = 0')
    return {
      columns: fields.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`),
      // Not every statement has an order.
      rows: rows.map(steady).sort(),
      changed: command === 'SELECT' ? null : rowCount,
    }
  } catch (error) {
    await client.query('rollback to sent_statement; release sent_statement')
    return { failed: (error as { code?: string }).code ?? String(error) }
  }
}

/** Statements whose outcomes differ between two logs, as text, each once. */
export function differences(
  { statements, sent }: StatementLog,
  before: Outcome[],
  after: Outcome[],
): string[] {
  const different = sent.flatMap(({ statement }, n) => {
    const [was, is] = [before[n], after[n]].map(outcome => JSON.stringify(outcome))
    return was === is ? [] : [`${statements[statement]?.replace(/\s+/g, ' ')}: ${was} before, ${is} after`]
  })
  return [...new Set(different)]
}
