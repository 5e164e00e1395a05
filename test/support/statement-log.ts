import type pg from 'pg'

/** A value of a statement. JSON has neither moments nor bytes: a moment is milliseconds after the log began. */
type Value = string | number | boolean | null | { after: number } | { bytes: string } | Value[]

/** What a release sends to its database while it does everything that it can do, in order, over one connection. */
export interface StatementLog {
  /** Its newest migration. */
  newest: string
  /** Each text once. */
  statements: string[]
  sent: Sent[]
}
interface Sent {
  /** Place in `statements`. */
  statement: number
  values?: Value[]
  /** SQLSTATE, where the release was refused and knew what to do. */
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

/** Writes down what is sent over the connections of a pool. @param busy is told of the beginning and end of each statement */
export function recordStatements(pool: pg.Pool, newest: string): StatementLog {
  const began = Date.now()
  const log: StatementLog = { newest, statements: [], sent: [] }
  const places = new Map<string, number>()
  pool.on('connect', client => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
    client.query = ((text: string, values: unknown[] = [], ...rest: unknown[]) => {
      if (!places.has(text)) places.set(text, log.statements.push(text) - 1)
      const sent: Sent = { statement: places.get(text) ?? 0 }
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

/** What became of a statement: its SQLSTATE, or its columns with their types, its rows, and how many it has changed. */
type Outcome = { failed: string } | { columns: string[]; rows: string[]; changed: number | null }

/** Columns whose values depend on the clock; and `numbers`, which is read at the start alone, before others migrate. */
const VARYING = ['wait', 'keys', 'numbers']
/** A row without what differs from one moment to another. */
const steady = (row: Record<string, unknown>): string =>
  JSON.stringify(row, (column, value) => (VARYING.includes(column) ? '' : value)).replace(
    /\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)?|\d{14,}/g,
    'moment',
  )

/** The transactions of the log become savepoints of the one that is undone at the end. */
const SAVEPOINTS: Record<string, string> = {
  begin: 'savepoint sent_transaction',
  commit: 'release sent_transaction',
  rollback: 'rollback to sent_transaction; release sent_transaction',
}

/**
 * Sends all of a log once more over a connection, and undoes it. Statements are prepared by name, as the release does it,
 * and stay so when it is sent again.
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
    // Where the log says that a search may take a moment only, it said so to another machine.
    await client.query('release sent_statement; set local statement_timeout = 0')
    return {
      columns: fields.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`),
      // Not every statement says in which order.
      rows: rows.map(steady).sort(),
      changed: command === 'SELECT' ? null : rowCount,
    }
  } catch (error) {
    await client.query('rollback to sent_statement; release sent_statement')
    return { failed: (error as { code?: string }).code ?? String(error) }
  }
}

/** Statements with which something else became of one log than of the other, in words, each once. */
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
