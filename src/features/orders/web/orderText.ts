import { formatDate } from '#format-date'
import { dollars } from '#money'
import { pieceWords } from '#products/answer-rules.ts'
import type { DeliveryState, OrderDetail } from '../detail-contract.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** The states of an order in words. */
export const stateWords: Record<DeliveryState, string> = {
  open: 'Being prepared',
  ready: 'Ready to collect',
  'part-sent': 'Part sent',
  sent: 'Sent',
  received: 'Received',
  collected: 'Collected',
  cancelled: 'Cancelled',
}

export interface Step {
  name: string
  status: 'done' | 'current' | 'ahead'
}

/** The way of an order from the day it was placed until it is there. Empty for one that is cancelled. */
export function stepsOf({
  state,
  pickup,
  parcels,
}: Pick<OrderDetail, 'state' | 'pickup' | 'parcels'>): Step[] {
  if (state === 'cancelled') return []
  // A maker may send what was to be collected.
  const isSent = !pickup || (state !== 'ready' && parcels.some(({ kind }) => kind === 'sent'))
  const ways: DeliveryState[] = isSent
    ? ['open', state === 'part-sent' ? state : 'sent', 'received']
    : ['open', 'ready', 'collected']
  const at = ways.indexOf(state)
  const isOver = at === ways.length - 1
  return [
    { name: 'Ordered', status: 'done' },
    ...ways.map((step, n): Step => {
      const status = n < at || isOver ? 'done' : n === at ? 'current' : 'ahead'
      return { name: stateWords[step], status }
    }),
  ]
}

type Dated = Pick<
  OrderDetail,
  'state' | 'pickup' | 'ready_by' | 'late' | 'ready_at' | 'days_min' | 'days_max' | 'parcels'
>

/** What comes next, and when: 'Ready to send by March 7, 2026'. Empty where nothing is known, or nothing comes. */
export function nextWords(order: Dated): string {
  const { state, pickup, ready_by, ready_at, parcels } = order
  if (order.late && ready_by) return `Was promised for ${formatDate(ready_by)}`
  switch (state) {
    case 'ready':
      return ready_at ? `Ready since ${formatDate(ready_at)}` : ''
    case 'open':
      if (!ready_by) return ''
      return `${pickup ? 'Ready to collect' : 'Ready to send'} by ${formatDate(ready_by)}`
    case 'sent': {
      const arrivals = parcels.filter(({ received_at }) => received_at === null)
      return arrivalOf(order, arrivals.at(-1)?.sent_at)
    }
    default:
      return ''
  }
}

/**
 * 'Expected March 9 to March 12, 2026'. Empty if its days are not known.
 * @param from when it was sent, or will be at the latest
 */
export function arrivalOf(
  { days_min, days_max }: Pick<OrderDetail, 'days_min' | 'days_max'>,
  from: string | null | undefined,
): string {
  if (!from || days_min === null || days_max === null) return ''
  const day = (days: number) => formatDate(new Date(Date.parse(from) + days * DAY_MS).toISOString())
  return days_min === days_max
    ? `Expected on ${day(days_max)}`
    : `Expected from ${day(days_min)} to ${day(days_max)}`
}

/** Whether it can still be cancelled as a whole: nothing was sent or cancelled. */
export const isPending = ({ lines }: Pick<OrderDetail, 'lines'>): boolean =>
  lines.every(({ open, quantity }) => open === quantity)

/** '$50.00', or '$50.00, $20.00 cancelled'. @param due what is left of it, dollars */
export const totalWords = (total: number, due: number): string =>
  `${dollars(total)}${due < total ? `, ${dollars(total - due)} cancelled` : ''}`

/** '2 × Speckled mug, 1 × Bowl (Name: Ana)'. */
export const piecesWords = (pieces: (Parameters<typeof pieceWords>[0] & { quantity: number })[]): string =>
  pieces.map(piece => `${piece.quantity} × ${pieceWords(piece)}`).join(', ')
