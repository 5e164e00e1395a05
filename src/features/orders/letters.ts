import { sql } from 'kysely'
import { recipientOf } from '#accounts/recipient.ts'
import type { Id } from '#contract'
import type { Letter } from '#letter'
import { dollars, fromCents } from '#money'
import { createBatcher } from '#platform/database/batch.ts'
import type { LetterKind, LetterKinds } from '#platform/mail/delivery.ts'
import type { Answer } from '#products/questions-contract.ts'

/** A line of an order. `price_cents` is integer cents for one. */
interface Line {
  name: string
  answers: Answer[]
  price_cents: number
  quantity: number
}

/** What was bought: of one order, or of all orders of a purchase. */
interface Contents {
  lines: Line[]
  /** Integer cents. */
  postage_cents: number
  /** The orders that it became, one for each maker. */
  orders: Id[]
  /** Whether all of them are cancelled. */
  isCancelled: boolean
}

/** The answers to the questions of a piece, below its row. */
export const answerRows = (answers: Answer[]): [string, string][] =>
  answers.map(({ question, answer }) => [question, answer])

const inMoney = (cents: number) => dollars(fromCents(cents))
const rowsOf = ({ lines, postage_cents }: Contents): [string, string][] => [
  ...lines.flatMap(({ name, answers, price_cents, quantity }): [string, string][] => [
    [`${quantity} × ${name}`, inMoney(price_cents * quantity)],
    ...answerRows(answers),
  ]),
  ...(postage_cents > 0 ? [['Postage', inMoney(postage_cents)] satisfies [string, string]] : []),
  ['Total', inMoney(lines.reduce((sum, line) => sum + line.price_cents * line.quantity, postage_cents))],
]

/** '2 × Oak spoon and 3 more', where 3 other pieces are on further lines. */
const titleOf = ({ lines: [first, ...others] }: Contents): string => {
  const title = first && (first.quantity > 1 ? `${first.quantity} × ${first.name}` : first.name)
  return others.length > 0 ? `${title} and ${others.length} more` : `${title}`
}

/** Writes a letter about an order. */
type Write = (name: string, order: Id, contents: Contents) => Letter

/** The page of an order. */
const pageOf = (order: Id) => ({ link: 'See your order', path: `/orders/${order}` })

const listed = new Intl.ListFormat('en-US')
/** Most numbers in a subject. */
const MAX_NUMBERS = 4
/** 'Your orders 7, 8, and 9', or 'Your 12 orders'. */
const ordersWords = (orders: Id[]): string =>
  orders.length > MAX_NUMBERS
    ? `Your ${orders.length} orders`
    : `Your orders ${listed.format(orders.map(String))}`

const received: Write = (name, order, contents) => ({
  subject: contents.orders.length > 1 ? ordersWords(contents.orders) : `Your order ${order}`,
  name,
  parts: [
    {
      text: contents.isCancelled
        ? 'You have ordered this. It is cancelled meanwhile.'
        : `Thank you for your order. We have told ${contents.orders.length > 1 ? 'their makers' : 'its maker'}.`,
    },
    { rows: rowsOf(contents) },
    contents.orders.length > 1 ? { link: 'See your orders', path: '/orders' } : pageOf(order),
  ],
  why: 'you have placed an order',
})

const cancelled: Write = (name, order, contents) => ({
  subject: `Your order ${order} is cancelled`,
  name,
  parts: [
    { text: 'You have cancelled this order. We have told its maker.' },
    { rows: rowsOf(contents) },
    pageOf(order),
  ],
  why: 'you have cancelled an order',
})

const sold: Write = (name, order, contents) => ({
  // Also of the notification, which stays as it was.
  subject: `You have sold ${titleOf(contents)}: order ${order}`,
  name,
  parts: [
    {
      text: contents.isCancelled
        ? 'Somebody has ordered this from you. The order is cancelled meanwhile: there is nothing to send.'
        : 'Somebody has ordered from you.',
    },
    { rows: rowsOf(contents) },
    { link: 'See the order', path: `/sold/${order}` },
  ],
  why: 'somebody has ordered from you',
})

const saleCancelled: Write = (name, order, contents) => ({
  subject: `Order ${order} is cancelled: ${titleOf(contents)}`,
  name,
  parts: [
    {
      text: 'A shopper has cancelled an order. These pieces are in your stock again, where they are still for sale.',
    },
    { rows: rowsOf(contents) },
    { link: 'See the order', path: `/sold/${order}` },
  ],
  why: 'an order from you was cancelled',
})

interface Wanted {
  order: Id
  /** Whether it is the number of a purchase: then of all its orders. */
  whole: boolean
}

type Row = Line & { number: number; order_id: Id; postage_cents: number; is_cancelled: boolean }

/** The lines of orders, with names and prices as at checkout. */
const contentsOf = createBatcher<Wanted, Contents>(async (db, wanted) => {
  const { rows } = await sql<Row>`
    select wanted.number::int as number, o.id as order_id, o.postage_cents, o.status = 'Cancelled' as is_cancelled, l.name, l.answers, l.price_cents, l.quantity
    from unnest(
      ${wanted.map(({ order }) => order)}::bigint[], ${wanted.map(({ whole }) => whole)}::boolean[]
    ) with ordinality as wanted (order_id, whole, number)
    join orders as o on o.id = wanted.order_id or wanted.whole and o.purchase_id = wanted.order_id
    join order_lines as l on l.order_id = o.id
    order by o.id, l.product_id, l.line
  `.execute(db)
  return wanted.map((_, n) => {
    const lines = rows.filter(({ number }) => number === n + 1)
    const postage = new Map(lines.map(({ order_id, postage_cents }) => [order_id, postage_cents]))
    return {
      lines,
      postage_cents: [...postage.values()].reduce((sum, cents) => sum + cents, 0),
      orders: [...postage.keys()],
      isCancelled: lines.every(line => line.is_cancelled),
    }
  })
})

const SAMPLE: Contents = {
  lines: [
    { name: 'Speckled mug', answers: [], price_cents: 2400, quantity: 2 },
    {
      name: 'Oak spoon with a long, long handle, oiled twice',
      answers: [{ question: 'Name on the handle', answer: 'Ana' }],
      price_cents: 1850,
      quantity: 1,
    },
  ],
  postage_cents: 450,
  orders: [4711],
  isCancelled: false,
}

/** @param whole whether it is about a whole purchase */
const kindOf = (write: Write, whole = false): LetterKind => ({
  async write(db, { subject, recipient }) {
    const [person, contents] = await Promise.all([
      recipientOf(db, recipient),
      contentsOf(db, { order: subject, whole }),
    ])
    return person && contents && contents.lines.length > 0
      ? { to: person.to, letter: write(person.name, subject, contents) }
      : undefined
  },
  sample: write('Ana', 4711, SAMPLE),
})

/** Letters about orders. The subject of each is the order; of `order-received` it is the purchase. */
export const orderLetters: LetterKinds = {
  'order-received': kindOf(received, true),
  'order-cancelled': kindOf(cancelled),
  sold: kindOf(sold),
  'sale-cancelled': kindOf(saleCancelled),
}
