import type { Answer } from '#products/questions-contract.ts'
import type { CartLine } from '../contract.ts'
import { readAnswers, writeAnswers } from './answerForm.ts'

/** Names in the forms of the cart. */

/** The result of a form of the cart. */
export interface CartResult {
  removed?: string
  /** The removed line as '7x2', with its answers, to restore it. */
  undo?: string
  /** What was chosen or written is saved. */
  saved?: true
  problems?: string[]
  /** Notes as they were typed, by the maker's id, if they could not be saved. */
  notes?: Record<string, string>
  /** The session has ended. */
  loginNeeded?: true
  /** Idempotency key, if a retry must be the same attempt. */
  key?: string
}

/** The id of the form that all quantities, choices and notes belong to: without scripts each button sends them all. */
export const CART_FORM = 'cart-form'
/** Field name of a line's quantity. */
export const quantityOf = (line: number): string => `quantity-${line}`
/** Name of the field and query parameter of a removed line. */
export const UNDO = 'undo'
/** Query parameters without scripts: the line of a button, and its new quantity. */
export const LINE = 'line'
export const QUANTITY = 'quantity'

/** A line as '7x2', followed by its answers, to restore it. undefined: it cannot be restored. */
export function undoOf({ product, quantity, answers }: CartLine): string | undefined {
  const written = writeAnswers(answers)
  return product && written !== undefined ? `${product.id}x${quantity} ${written}`.trim() : undefined
}

/** A removed line, from that text. */
export function removedLine(
  undo: FormDataEntryValue | null,
): { text: string; productId: number; quantity: number; answers: Answer[] } | undefined {
  const [text, productId, quantity, answers = ''] =
    /^([1-9]\d{0,14})x([1-9]\d?)(?: (.{1,2500}))?$/s.exec(String(undo)) ?? []
  return text && productId && quantity
    ? { text, productId: Number(productId), quantity: Number(quantity), answers: readAnswers(answers) }
    : undefined
}
