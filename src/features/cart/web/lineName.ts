import { pieceWords } from '#products/answer-rules.ts'
import type { CartLine } from '../contract.ts'

/** A name for the controls of a line. With its answers, because a listing may have several lines. */
export const lineName = ({ product, answers }: CartLine): string =>
  product ? pieceWords({ name: product.name, answers }) : 'this item'
