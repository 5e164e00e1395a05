/** Length in code points, as the database counts, not in UTF-16 units. */
export const lengthOf = (text: string): number => [...text].length

/** A control character, such as a line break. */
export const CONTROL: RegExp = /\p{Cc}/u
