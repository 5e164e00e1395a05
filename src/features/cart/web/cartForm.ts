/** Names in the forms of the cart. */

/** The result of a form of the cart. */
export interface CartResult {
  removed?: string
  /** The removed line as '7x2', to restore it. */
  undo?: string
  /** What was chosen or written is saved. */
  saved?: true
  problems?: string[]
  /** Notes as they were typed, by the maker's id, if they could not be saved. */
  notes?: Record<string, string>
  /** Idempotency key, if a retry must be the same attempt. */
  key?: string
}

/** The id of the form that all quantities, choices and notes belong to: without scripts each button sends them all. */
export const CART_FORM = 'cart-form'
/** Field name of a line's quantity. */
export const quantityOf = (line: number): string => `quantity-${line}`
/** Name of the field and query parameter of a removed line. */
export const UNDO = 'undo'
/** Query parameter of the line that is removed without scripts. */
export const LINE = 'line'
