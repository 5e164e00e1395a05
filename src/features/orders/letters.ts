import { sql } from 'kysely'
import { recipientOf } from '#accounts/recipient.ts'
import type { Id } from '#contract'
import type { Letter } from '#letter'
import { dollars, fromCents } from '#money'
import { createBatcher } from '#platform/database/batch.ts'
import type { LetterKind, LetterKinds } from '#platform/mail/delivery.ts'

/** A line of an order. `price_cents` is integer cents for one. */
interface Line {
  name: string
  price_cents: number
  quantity: number
}

const inMoney = (cents: number) => dollars(fromCents(cents))
const rowsOf = (lines: Line[]): [string, string][] => [
  ...lines.map(({ name, price_cents, quantity }): [string, string] => [
    `${quantity} × ${name}`,
    inMoney(price_cents * quantity),
  ]),
  ['Total', inMoney(lines.reduce((sum, line) => sum + line.price_cents * line.quantity, 0))],
]

/** '2 × Oak spoon and 3 more', where 3 other pieces are on further lines. */
const titleOf = ([first, ...others]: Line[]): string => {
  const title = first && (first.quantity > 1 ? `${first.quantity} × ${first.name}` : first.name)
  return others.length > 0 ? `${title} and ${others.length} more` : `${title}`
}

/** Writes a letter about some lines of an order. */
type Write = (name: string, order: Id, lines: Line[]) => Letter

const received: Write = (name, order, lines) => ({
  subject: `Your order ${order}`,
  name,
  parts: [
    { text: 'Thank you for your order. We have told its makers.' },
    { rows: rowsOf(lines) },
    { link: 'See your orders', path: '/orders/view' },
  ],
  why: 'you have placed an order',
})

const cancelled: Write = (name, order, lines) => ({
  subject: `Your order ${order} is cancelled`,
  name,
  parts: [
    { text: 'You have cancelled this order. We have told its makers.' },
    { rows: rowsOf(lines) },
    { link: 'See your orders', path: '/orders/view' },
  ],
  why: 'you have cancelled an order',
})

const sold: Write = (name, order, lines) => ({
  subject: `You have sold ${titleOf(lines)}: order ${order}`,
  name,
  parts: [
    { text: 'Somebody has ordered from you.' },
    { rows: rowsOf(lines) },
    { link: 'See your listings', path: '/your-listings' },
  ],
  why: 'somebody has ordered from you',
})

const saleCancelled: Write = (name, order, lines) => ({
  subject: `Order ${order} is cancelled: ${titleOf(lines)}`,
  name,
  parts: [
    { text: 'A shopper has cancelled an order. These pieces are in your stock again.' },
    { rows: rowsOf(lines) },
    { link: 'See your listings', path: '/your-listings' },
  ],
  why: 'an order from you was cancelled',
})

interface Wanted {
  order: Id
  /** Only the lines of this seller. */
  seller: Id | null
}

/** The lines of an order, with names and prices as at checkout. */
const linesOf = createBatcher<Wanted, Line[]>(async (db, wanted) => {
  const { rows } = await sql<Line & { number: number }>`
    select wanted.number::int as number, l.name, l.price_cents, l.quantity
    from unnest(
      ${wanted.map(({ order }) => order)}::bigint[], ${wanted.map(({ seller }) => seller)}::bigint[]
    ) with ordinality as wanted (order_id, seller_id, number)
    join order_lines as l on l.order_id = wanted.order_id join products as p on p.id = l.product_id
    where wanted.seller_id is null or p.seller_id = wanted.seller_id
    order by l.product_id
  `.execute(db)
  return wanted.map((_, n) => rows.filter(({ number }) => number === n + 1))
})

const SAMPLE: Line[] = [
  { name: 'Speckled mug', price_cents: 2400, quantity: 2 },
  { name: 'Oak spoon with a long, long handle, oiled twice', price_cents: 1850, quantity: 1 },
]

/** @param own whether the recipient reads only the lines of their own listings */
const kindOf = (write: Write, own: boolean): LetterKind => ({
  async write(db, { subject, recipient }) {
    const [person, lines] = await Promise.all([
      recipientOf(db, recipient),
      linesOf(db, { order: subject, seller: own ? recipient : null }),
    ])
    return person && lines && lines.length > 0
      ? { to: person.to, letter: write(person.name, subject, lines) }
      : undefined
  },
  sample: write('Ana', 4711, SAMPLE),
})

/** Letters about orders. The subject of each is the order. */
export const orderLetters: LetterKinds = {
  'order-received': kindOf(received, false),
  'order-cancelled': kindOf(cancelled, false),
  sold: kindOf(sold, true),
  'sale-cancelled': kindOf(saleCancelled, true),
}
