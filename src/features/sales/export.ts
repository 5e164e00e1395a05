import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { requireUser } from '#accounts/session-cookie.ts'
import type { Id } from '#contract'
import { BOM, csvRow } from '#csv'
import type { Database } from '#platform/database/database.ts'
import { downloadRoute } from '#platform/http/download-route.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { Problem } from '#problem'
import { answersText } from '#products/answer-rules.ts'
import type { Sale } from './contract.ts'
import { EXPORT_DAYS, EXPORT_PATH, ExportQuery } from './input-contract.ts'
import { salesOf } from './sales.ts'

/** Orders in memory at a time. */
const PAGE = 100
/** Requests in the admission queue that an export counts as. */
const COST = 5

/** The file of a maker's orders. */
export const exportRoute = (app: FastifyInstance): void =>
  downloadRoute(app, { path: EXPORT_PATH, cost: COST, send: sendFile, pageFor })

/** The page says why. */
function pageFor(status: number, { query }: FastifyRequest): string | undefined {
  if (status === 401) return '/login?next=%2Fsold'
  if (![400, 429, 503].includes(status)) return undefined
  const why = status === 400 ? 'wrong' : 'later'
  const { from = '', to = '' } = query as Record<string, unknown>
  return `/sold?${new URLSearchParams({ from: String(from), to: String(to), export: why })}`
}

/** @throws Problem 401, 400 for wrong days, 429 */
async function sendFile(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { server: app } = request
  const user = await requireUser(request)
  const period = ExportQuery.safeParse(request.query)
  if (!period.success) throw new Problem(400, EXPORT_DAYS)
  await consume(app, 'changes', user.id)
  const { from, to } = period.data
  return reply
    .header('content-disposition', `attachment; filename="sales-${from}-${to}.csv"`)
    .type('text/csv; charset=utf-8')
    .send(Readable.from(fileOf(app.db, user.id, period.data)))
}

const HEAD = [
  ...[
    'Order',
    'Purchase',
    'Placed on',
    'State',
    'Shopper',
    'Pieces',
    'Quantity',
    'Sent',
    'Cancelled',
    'Postage',
  ],
  ...[
    'Total',
    'Due',
    'Paid',
    'Refunded',
    'Open',
    'Ready by',
    'Pick-up place',
    'Name',
    'Street',
    'Second line',
  ],
  ...['Postal code', 'City', 'Region', 'Country', 'Note', 'Answers'],
]

/** The orders of a maker in a period. @param period days in UTC, both included */
async function* fileOf(
  db: Database,
  maker: Id,
  { from, to }: { from: string; to: string },
): AsyncGenerator<string> {
  const midnight = (day: string, days = 0) => sql`(${day}::date + ${days}::int)::timestamp at time zone 'UTC'`
  yield BOM + csvRow(HEAD)
  yield* rowsOf(
    db,
    sql`o.seller_id = ${maker} and o.created_at >= ${midnight(from)} and o.created_at < ${midnight(to, 1)}`,
    BY_TIME,
    ({ sale }) => cellsOf(sale),
  )
}

/** The orders of all makers as CSV, with their addresses: for operators. */
export async function* orderFile(db: Database): AsyncGenerator<string> {
  yield BOM + csvRow(['Maker', ...HEAD])
  yield* rowsOf(db, sql`true`, BY_ID, ({ sale, maker }) => [maker, ...cellsOf(sale)])
}

/** Each has an index: for the orders of one maker, and for all. */
const BY_TIME = sql`o.created_at desc, o.id desc`
const BY_ID = sql`o.id desc`

/** Rows of orders, newest first, a page at a time. @param where SQL about `o`, a row of orders */
async function* rowsOf(
  db: Database,
  where: RawBuilder<unknown>,
  order: typeof BY_TIME,
  cells: (order: { sale: Sale; maker: string | null }) => (string | number | null)[],
): AsyncGenerator<string> {
  let before = sql`true`
  for (let more = true; more; ) {
    const { rows } = await sql<{ id: Id; at: string; maker: string | null }>`
      select o.id, o.created_at::text as at, u.username as maker
      from orders as o left join users as u on u.id = o.seller_id and u.erased_at is null
      where ${where} and ${before}
      order by ${order} limit ${PAGE}
    `.execute(db)
    const ids = rows.map(({ id }) => id)
    const makers = new Map(rows.map(({ id, maker }) => [id, maker]))
    const sales = ids.length > 0 ? await salesOf(db, sql`o.id = any(${ids}::bigint[])`, PAGE) : []
    if (sales.length > 0)
      yield sales.map(sale => csvRow(cells({ sale, maker: makers.get(sale.id) ?? null }))).join('')
    const last = rows.at(-1)
    if (last)
      before =
        order === BY_ID
          ? sql`o.id < ${last.id}`
          : sql`(o.created_at, o.id) < (${last.at}::timestamptz, ${last.id})`
    more = rows.length === PAGE
  }
}

/** What shoppers have answered about pieces: 'Speckled mug – Name: Ana; Colour: Red'. */
const answersOf = (lines: Sale['lines']): string =>
  lines.flatMap(({ name, answers }) => (answers ? [`${name} – ${answersText(answers)}`] : [])).join(' | ')

function cellsOf(sale: Sale): (string | number | null)[] {
  const { lines, payment, address, pickup } = sale
  const sum = (name: 'quantity' | 'sent' | 'cancelled') => lines.reduce((all, line) => all + line[name], 0)
  const day = (moment: string | null) => moment?.slice(0, 10) ?? null
  return [
    ...[sale.id, sale.purchase_id, day(sale.created_at), sale.state, sale.shopper],
    lines.map(({ name, quantity }) => `${quantity} × ${name}`).join('; '),
    ...[sum('quantity'), sum('sent'), sum('cancelled'), sale.postage, sale.total],
    ...[payment.due, payment.paid, payment.refunded, payment.open],
    ...[day(sale.ready_by), pickup?.place ?? null, address?.name ?? null, address?.line1 ?? null],
    ...[address?.line2 || null, address?.postal_code || null, address?.city ?? null, address?.region || null],
    ...[address?.country ?? null, sale.note || null, answersOf(lines) || null],
  ]
}
