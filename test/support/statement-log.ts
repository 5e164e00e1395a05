import type pg from 'pg'

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

/** Records statements of a pool's connections. @param busy is called at the beginning and end of each statement */
export function recordStatements(pool: pg.Pool, newest: string): StatementLog {
  const began = Date.now()
  const log: StatementLog = { newest, statements: [], sent: [] }
  const indexes = new Map<string, number>()
  pool.on('connect', client => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
    client.query = ((text: string, values: unknown[] = [], ...rest: unknown[]) => {
      if (!indexes.has(text)) indexes.set(text, log.statements.push(text) - 1)
      const sent: Sent = { statement: indexes.get(text) ?? 0 }
      if (values.length > 0) sent.values = values.map(value => toValue(value, began))
      log.sent.push(sent)
      const answer = query(text, values, ...rest)
      answer.catch(error => {
        sent.failed = error.code
      })
      return answer
    }) as typeof client.query
  })
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
  await client.query('alter sequence ids restart')
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
