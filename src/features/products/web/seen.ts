import type { Seen } from '../bulk-contract.ts'

/** A listing as its seller saw it, as a hidden control has it: id, version, lowest price, stock and highest price. */
export const seenText = ({ id, version, price, stock, price_to }: Seen): string =>
  [id, version, price, stock, price_to].join(' ')
export const seenIn = (text: string): Seen => {
  const [id = 0, version = 0, price = 0, stock = 0, price_to = price] = text.split(' ').map(Number)
  return { id, version, price, price_to, stock }
}
