import { formatDate } from '#format-date'
import type { ListedSale, Sale } from '../contract.ts'

/** What its maker does next, and by when: 'Send by March 7, 2026'. Empty where nothing is to do. */
export function todoWords({
  state,
  ready_by,
  late,
  isPickup,
}: Pick<Sale | ListedSale, 'state' | 'ready_by' | 'late'> & { isPickup: boolean }): string {
  if (state === 'ready') return 'Waits to be collected'
  if (state !== 'open' && state !== 'part-sent') return ''
  const what = isPickup ? 'Have it ready' : state === 'part-sent' ? 'Send the rest' : 'Send'
  if (!ready_by) return what
  return late ? `Late: was promised for ${formatDate(ready_by)}` : `${what} by ${formatDate(ready_by)}`
}

/** The name of the shopper. */
export const shopperWords = (shopper: string): string => shopper || 'A deleted account'
