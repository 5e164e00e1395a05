/** Length in code points, as the database counts, not in UTF-16 units. */
export const lengthOf = (text: string): number => [...text].length

/** A control character, such as a line break. */
export const CONTROL: RegExp = /\p{Cc}/u

/** Digits, with a decimal point. `Number` also takes '1e3' and '0x10', which hardly anybody means. */
const DECIMAL = /^[-+]?(\d+\.?\d*|\.\d+)$/

/** The number of a text; NaN for any other text; undefined for an empty one, which a contract refuses as missing. */
export function numberIn(typed: string): number {
  const text = typed.trim()
  if (text === '') return undefined as never
  return DECIMAL.test(text) ? Number(text) : Number.NaN
}

/** The same of a number that may have a decimal comma. */
export const decimalIn = (typed: string): number => numberIn(typed.replace(',', '.'))

/** The first so many code points: a cut between UTF-16 units may leave half of one. */
export const firstCharacters = (text: string, count: number): string => [...text].slice(0, count).join('')
