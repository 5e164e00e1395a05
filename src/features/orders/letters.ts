import { recipientOf } from '#accounts/recipient.ts'
import type { Id } from '#contract'
import type { Letter } from '#letter'
import { dollars, fromCents } from '#money'
import type { Database } from '#platform/database/database.ts'
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
  subject: `You have sold something: order ${order}`,
  name,
  parts: [
    { text: 'Somebody has ordered from you.' },
    { rows: rowsOf(lines) },
    { link: 'See your listings', path: '/your-listings' },
  ],
  why: 'somebody has ordered from you',
})

const saleCancelled: Write = (name, order, lines) => ({
  subject: `Order ${order} is cancelled`,
  name,
  parts: [
    { text: 'A shopper has cancelled an order. These pieces are in your stock again.' },
    { rows: rowsOf(lines) },
    { link: 'See your listings', path: '/your-listings' },
  ],
  why: 'an order from you was cancelled',
})

/** All lines of an order, or those of one seller, with names and prices as at checkout. */
const linesOf = (db: Database, order: Id, seller?: Id): Promise<Line[]> =>
  db
    .selectFrom('order_lines as l')
    .innerJoin('products as p', 'p.id', 'l.product_id')
    .select(['l.name', 'l.price_cents', 'l.quantity'])
    .where('l.order_id', '=', order)
    .$if(seller !== undefined, lines => lines.where('p.seller_id', '=', seller as Id))
    .orderBy('l.product_id')
    .execute()

const SAMPLE: Line[] = [
  { name: 'Speckled mug', price_cents: 2400, quantity: 2 },
  { name: 'Oak spoon with a long, long handle, oiled twice', price_cents: 1850, quantity: 1 },
]

/** @param own whether the recipient reads only the lines of their own listings */
const kindOf = (write: Write, own: boolean): LetterKind => ({
  async write(db, { subject, recipient }) {
    const person = await recipientOf(db, recipient)
    const lines = await linesOf(db, subject, own ? recipient : undefined)
    return person && lines.length > 0
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
