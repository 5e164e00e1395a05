import type { CartLine } from '../contract.ts'

const isSamePiece = ({ product: one }: CartLine, { product: other }: CartLine): boolean =>
  one?.id === other?.id && one?.variant_id === other?.variant_id

/** Units of other lines of the same piece: a listing, or a combination of its variations. @param counts which of them */
const others = (line: CartLine, lines: CartLine[], counts: (other: CartLine) => boolean): number =>
  lines
    .filter(other => other.id !== line.id && isSamePiece(other, line) && counts(other))
    .reduce((sum, { quantity }) => sum + quantity, 0)

/** What earlier lines of the same listing leave in stock for a line. */
export const leftFor = (line: CartLine, lines: CartLine[]): number =>
  Math.max(0, (line.product?.stock ?? 0) - others(line, lines, ({ id }) => id < line.id))

/** The greatest quantity that a line can have beside the other lines of its listing. */
export const mostOf = (line: CartLine, lines: CartLine[]): number =>
  Math.max(0, (line.product?.stock ?? 0) - others(line, lines, () => true))
