import fc from 'fast-check'

// A model of an order, as its maker would keep it on paper. The database must agree with it: src/features/sales/books.test.ts.

/** Cents. */
export const PRICE = 700
export const POSTAGE = 450

/** What somebody tries. Numbers are reduced to what is possible at that moment. */
export interface Try {
  kind: 'sent' | 'cancelled' | 'undone' | 'paid' | 'refunded'
  which: number
  units: number[]
}
/** An order as its maker's paper would have it. */
export interface Paper {
  id: number
  lines: { id: number; line: number; quantity: number; sent: number; cancelled: number }[]
  events: { id: number; kind: string; units: number[]; cents: number; undone: boolean }[]
  paid: number
  refunded: number
}

/** What of a try is written down; undefined: nothing is possible. */
export interface Entry {
  kind: Try['kind']
  units: number[]
  cents: number
  about: Paper['events'][number] | undefined
}

/** Units of a line that are neither sent nor cancelled. */
export const open = ({ quantity, sent, cancelled }: Paper['lines'][number]) => quantity - sent - cancelled

/** What of a try is possible on this paper. */
export function entryOf(paper: Paper, { kind, which, units }: Try): Entry | undefined {
  if (kind === 'sent' || kind === 'cancelled') {
    const chosen = paper.lines.map((line, n) => (units[n] ?? 0) % (open(line) + 1))
    return chosen.some(count => count > 0) ? { kind, units: chosen, cents: 0, about: undefined } : undefined
  }
  if (kind === 'undone') {
    const standing = paper.events.filter(
      event => !event.undone && event.kind !== 'cancelled' && event.kind !== 'undone',
    )
    const about = standing[which % Math.max(1, standing.length)]
    // A payment stays while it is refunded.
    if (!about || (about.kind === 'paid' && paper.paid - about.cents < paper.refunded)) return undefined
    return { kind, units: about.units, cents: 0, about }
  }
  const amount = which > 6 ? sum(paper, line => line.quantity) * PRICE + POSTAGE : which + 1
  const cents = kind === 'paid' ? amount : Math.min(which + 1, paper.paid - paper.refunded)
  return cents > 0 ? { kind, units: [], cents, about: undefined } : undefined
}

/** Writes an entry on the paper. @param id of its event */
export function note(paper: Paper, id: number, { kind, units, cents, about }: Entry): void {
  paper.events.push({ id, kind, units, cents, undone: false })
  if (about) about.undone = true
  for (const [n, line] of paper.lines.entries()) {
    const count = units[n] ?? 0
    if (kind === 'sent') line.sent += count
    if (kind === 'cancelled') line.cancelled += count
    if (kind === 'undone') line.sent -= count
  }
  if (kind === 'paid') paper.paid += cents
  if (kind === 'refunded') paper.refunded += cents
  if (about?.kind === 'paid') paper.paid -= about.cents
  if (about?.kind === 'refunded') paper.refunded -= about.cents
}

/** An order with what is tried on it, at random. */
export const sequence = fc.record({
  quantities: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 3 }),
  tries: fc.array(
    fc.record({
      kind: fc.constantFrom(
        'sent',
        'sent',
        'cancelled',
        'undone',
        'undone',
        'paid',
        'refunded',
      ) as fc.Arbitrary<Try['kind']>,
      which: fc.nat(9),
      units: fc.array(fc.nat(30), { minLength: 3, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 8 },
  ),
})

/** Sum of a count over the lines. */
export const sum = (paper: Paper, count: (line: Paper['lines'][number]) => number) =>
  paper.lines.reduce((all, line) => all + count(line), 0)

/** An order as the paper has it, in the columns of the database. */
export function expectedOf(paper: Paper) {
  const [quantity, sent, cancelled] = [
    sum(paper, line => line.quantity),
    sum(paper, line => line.sent),
    sum(paper, line => line.cancelled),
  ]
  const isWhole = cancelled === quantity
  const isOpen = quantity > sent + cancelled
  const part = sent > 0 ? 'Part sent' : cancelled > 0 ? 'Part cancelled' : 'Pending'
  return {
    id: paper.id,
    status: isWhole ? 'Cancelled' : isOpen ? part : 'Sent',
    is_open: isOpen,
    cancelled_cents: cancelled * PRICE + (isWhole ? POSTAGE : 0),
    paid_cents: paper.paid,
    refunded_cents: paper.refunded,
    lines: paper.lines.map(({ id, line, sent, cancelled }) => ({ id, line, sent, cancelled })),
  }
}
