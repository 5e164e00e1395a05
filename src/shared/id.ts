/** An id in an address: at most fifteen digits. */
export const ID: RegExp = /^[1-9]\d{0,14}$/

/** The digits of an id in an address. Undefined for any other text. */
export const idIn = (text: string | null | undefined): string | undefined =>
  text && ID.test(text) ? text : undefined
