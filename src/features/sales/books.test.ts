import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { details } from '#orders/detail.ts'
import type { OrderDetail } from '#orders/detail-contract.ts'
import type { Database } from '#platform/database/database.ts'
import {
  type Entry,
  entryOf,
  expectedOf,
  note,
  open,
  type Paper,
  POSTAGE,
  PRICE,
  sequence,
  sum,
  type Try,
} from '../../../test/support/order-books.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

/** Sequences of one transaction, and transactions. */
const AT_ONCE = 1_000
const BATCHES = 10

let shop: TestShop
let people: { maker: number; shopper: number; listings: number[] }
beforeAll(async () => {
  shop = await openShop()
  const [maker, shopper] = [await shop.signUp('maker'), await shop.signUp('shopper')]
  const listings: number[] = []
  for (let n = 0; n < 3; n++) listings.push((await shop.list(maker, { stock: 500_000 })).id)
  people = { maker: maker.user.id, shopper: shopper.user.id, listings }
})
afterAll(() => shop.close())

/** The third line is of the first listing too. */
const lineOf = (at: number) => ({ id: people.listings[at % 2] ?? 0, line: at < 2 ? 1 : 2 })

/** Places the orders. */
async function place(db: Database, quantities: number[][]): Promise<Paper[]> {
  const totals = quantities.map(each => each.reduce((sum, quantity) => sum + quantity * PRICE, POSTAGE))
  const { rows } = await sql<{ id: number }>`
    insert into orders (id, purchase_id, user_id, seller_id, total_cents, postage_cents)
    select id, id, ${people.shopper}, ${people.maker}, total, ${POSTAGE}
    from (select nextval('ids') as id, total from unnest(${totals}::bigint[]) as total) as placed
    returning id
  `.execute(db)
  const papers = rows.map(({ id }, n) => ({
    id,
    lines: (quantities[n] ?? []).map((quantity, at) => ({
      ...lineOf(at),
      quantity,
      sent: 0,
      cancelled: 0,
    })),
    events: [],
    paid: 0,
    refunded: 0,
  }))
  const lines = papers.flatMap(({ id, lines }) => lines.map(line => ({ order: id, ...line })))
  await sql`
    with line as (
      insert into order_lines (order_id, product_id, line, name, price_cents, quantity)
      select order_id, product_id, line, 'Mug', ${PRICE}, quantity from unnest(
        ${lines.map(line => line.order)}::bigint[], ${lines.map(line => line.id)}::bigint[], ${lines.map(({ line }) => line)}::int[],
        ${lines.map(line => line.quantity)}::int[]
      ) as line (order_id, product_id, line, quantity)
      returning order_id, product_id, quantity
    )
    insert into stock_ledger (product_id, units, reason, order_id) select product_id, -sum(quantity), 'sale', order_id from line
      group by product_id, order_id
  `.execute(db)
  return papers
}

/** Writes one entry of each order into the database, as `record` and `cancelUnits` do for one. */
async function write(db: Database, entries: { paper: Paper; entry: Entry }[]): Promise<void> {
  if (entries.length === 0) return
  const { rows } = await sql<{ id: number; order_id: number }>`
    insert into order_events (order_id, kind, role, about, cents, happened_on)
    select order_id, kind, 'maker', about, cents, case when cents is not null then date '2026-01-02' end
    from unnest(
      ${entries.map(({ paper }) => paper.id)}::bigint[], ${entries.map(({ entry }) => entry.kind)}::text[],
      ${entries.map(({ entry }) => entry.about?.id ?? null)}::bigint[], ${entries.map(({ entry }) => entry.cents || null)}::bigint[]
    ) as entry (order_id, kind, about, cents)
    returning id, order_id
  `.execute(db)
  const ids = new Map(rows.map(({ id, order_id }) => [order_id, id]))
  const units = entries.flatMap(({ paper, entry }) =>
    entry.units.flatMap((count, n) =>
      count > 0
        ? [
            {
              event: ids.get(paper.id) ?? 0,
              order: paper.id,
              product: paper.lines[n]?.id ?? 0,
              line: paper.lines[n]?.line ?? 0,
              count,
              kind: entry.kind,
            },
          ]
        : [],
    ),
  )
  const column = <K extends keyof (typeof units)[number]>(name: K) => units.map(each => each[name])
  await sql`
    insert into order_event_units (event_id, order_id, product_id, line, units)
    select * from unnest(${column('event')}::bigint[], ${column('order')}::bigint[], ${column('product')}::bigint[],
      ${column('line')}::int[], ${column('count')}::int[])
  `.execute(db)
  await sql`
    insert into stock_ledger (product_id, units, reason, order_id, event_id)
    select product_id, sum(units), 'cancel', order_id, event_id from unnest(
      ${column('event')}::bigint[], ${column('order')}::bigint[], ${column('product')}::bigint[], ${column('count')}::int[], ${column('kind')}::text[]
    ) as back (event_id, order_id, product_id, units, kind) where kind = 'cancelled'
    group by product_id, order_id, event_id
  `.execute(db)
  for (const { paper, entry } of entries) note(paper, ids.get(paper.id) ?? 0, entry)
}

/** The transaction ends without its rows. */
class Enough extends Error {}

test('the books of lines, money and stock hold under 10,000 random sequences of send, cancel, undo, pay and refund', async () => {
  const before = await Promise.all(people.listings.map(id => shop.stockOf(id)))
  const batch = fc.array(sequence, { minLength: AT_ONCE, maxLength: AT_ONCE })
  let written = 0
  const check = async (sequences: { quantities: number[]; tries: Try[] }[], db: Database) => {
    const papers = await place(
      db,
      sequences.map(({ quantities }) => quantities),
    )
    for (let step = 0; step < 8; step++) {
      const entries = papers.flatMap((paper, n) => {
        const tried = sequences[n]?.tries[step]
        const entry = tried && entryOf(paper, tried)
        return entry ? [{ paper, entry }] : []
      })
      await write(db, entries)
      written += entries.length
    }
    const { rows } = await sql`
      select id, status, is_open, cancelled_cents, paid_cents, refunded_cents, (
        select json_agg(json_build_object('id', product_id, 'line', line, 'sent', sent, 'cancelled', cancelled)
          order by line, product_id)
        from order_lines where order_id = o.id
      ) as lines
      from orders as o where id = any(${papers.map(({ id }) => id)}::bigint[]) order by id
    `.execute(db)
    expect(rows).toEqual(papers.map(expectedOf))
    const stock = await sql<{ id: number; quantity: number }>`
      select product_id as id, quantity from stock where product_id = any(${people.listings}::bigint[]) order by product_id
    `.execute(db)
    const taken = (id: number) =>
      papers
        .flatMap(({ lines }) => lines.filter(line => line.id === id))
        .reduce((all, line) => all + line.quantity - line.cancelled, 0)
    expect(stock.rows).toEqual(
      people.listings.map((id, n) => ({ id, quantity: (before[n] ?? 0) - taken(id) })),
    )
    // What pages show is computed from the events.
    const some = papers.slice(0, 50)
    const shown = await details(db, sql`o.id = any(${some.map(({ id }) => id)}::bigint[])`)
    const cents = (amount = Number.NaN) => Math.round(amount * 100)
    for (const paper of some) {
      const order: OrderDetail | undefined = shown.find(({ order }) => order.id === paper.id)?.order
      const { lines = [], payment, parcels } = order ?? {}
      const shownOpen = (id: number, line: number) =>
        lines.find(shown => shown.id === id && shown.line === line)?.open
      expect(paper.lines.map(({ id, line }) => shownOpen(id, line))).toEqual(paper.lines.map(open))
      expect(parcels).toHaveLength(
        paper.events.filter(({ kind, undone }) => kind === 'sent' && !undone).length,
      )
      const { cancelled_cents } = expectedOf(paper)
      const due = sum(paper, line => line.quantity) * PRICE + POSTAGE - cancelled_cents
      const balance = due - paper.paid + paper.refunded
      expect([payment?.due, payment?.paid, payment?.refunded, payment?.open].map(cents)).toEqual([
        due,
        paper.paid,
        paper.refunded,
        paper.paid < due ? balance : Math.min(balance, 0),
      ])
    }
  }
  await fc.assert(
    fc.asyncProperty(batch, async sequences => {
      const work = shop.db.transaction().execute(async db => {
        await check(sequences, db)
        throw new Enough()
      })
      await expect(work).rejects.toThrow(Enough)
    }),
    { numRuns: BATCHES, endOnFailure: true },
  )
  expect(written).toBeGreaterThan(AT_ONCE * BATCHES)
}, 180_000)

test.each([
  ['more sent than was ordered', [{ kind: 'sent', units: [3] }], 'order_lines_units'],
  [
    'what is sent is not cancelled',
    [
      { kind: 'sent', units: [2] },
      { kind: 'cancelled', units: [1] },
    ],
    'order_lines_units',
  ],
  [
    'more refunded than was paid',
    [
      { kind: 'paid', cents: 5 },
      { kind: 'refunded', cents: 6 },
    ],
    'orders_refunded',
  ],
] as [string, Partial<Entry>[], string][])(
  'the database itself refuses: %s',
  async (_, wrong, constraint) => {
    const work = shop.db.transaction().execute(async db => {
      const [paper] = await place(db, [[2]])
      for (const entry of wrong)
        await write(db, [
          { paper: paper!, entry: { kind: 'sent', units: [], cents: 0, about: undefined, ...entry } },
        ])
    })
    await expect(work).rejects.toMatchObject({ constraint })
  },
)
