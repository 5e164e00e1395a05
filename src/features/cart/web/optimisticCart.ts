import { useFetcher, useFetchers } from 'react-router'
import type { CartLine } from '../contract.ts'
import type { CartResult } from './cart.route.ts'

/** The changes of one line, one after the other; those of other lines never wait for them, nor end them. */
export const useChange = (line: number) => useFetcher<CartResult | null>({ key: `cart line ${line}` })

/**
 * The cart as it will be once every change under way has been accepted. A refused change is over when its answer
 * arrives: the line is then again what the server says it is, with the reason beside it.
 */
export function useOptimisticCart(lines: CartLine[] | null): { lines: CartLine[] | null; changing: boolean } {
  const changes = useFetchers().flatMap(({ formData }) => (formData ? [formData] : []))
  if (!lines) return { lines, changing: false }
  const expected = changes.reduce((cart, change) => {
    const id = Number(change.get('id'))
    if (change.get('intent') === 'remove') return cart.filter(line => line.id !== id)
    const quantity = Number(change.get('quantity'))
    // Below 1 it is ignored.
    if (change.get('intent') !== 'update' || quantity < 1) return cart
    return cart.map(line => (line.id === id ? { ...line, quantity } : line))
  }, lines)
  return { lines: expected, changing: changes.length > 0 }
}
