import { useFetcher, useFetchers } from 'react-router'
import type { CartLine } from '../contract.ts'
import type { CartResult } from './cartForm.ts'

/** Key of the fetcher of a line: changes of other lines do not abort it. */
export const changeOf = (line: number): string => `cart line ${line}`
export const useChange = (line: number) => useFetcher<CartResult | null>({ key: changeOf(line) })

/**
 * The cart as if every pending change succeeds. A refused change is shown until the cart has loaded again; then its line
 * shows the server's state, with the reason.
 */
export function useOptimisticCart(lines: CartLine[] | null): {
  lines: CartLine[] | null
  /** Whether anything is under way. */
  changing: boolean
  /** Whether something other than a way of delivery or a note is being saved. The checkout opens after it. */
  blocking: boolean
} {
  const changes = useFetchers().flatMap(({ formData }) => (formData ? [formData] : []))
  if (!lines) return { lines, changing: false, blocking: false }
  const expected = changes.reduce((cart, change) => {
    const id = Number(change.get('id'))
    if (change.get('intent') === 'remove') return cart.filter(line => line.id !== id)
    const quantity = Number(change.get('quantity'))
    // Below 1 it is ignored.
    if (change.get('intent') !== 'update' || quantity < 1) return cart
    return cart.map(line => (line.id === id ? { ...line, quantity } : line))
  }, lines)
  const blocking = changes.some(change => change.get('intent') !== 'choose')
  return { lines: expected, changing: changes.length > 0, blocking }
}
