/** Longest text, and most lines, that phones show as a whole. About four lines. */
const CHARACTERS = 190
const LINES = 4

/** Whether what a seller says needs more than about four lines on a phone. */
export const isLong = (words: string): boolean =>
  words.length > CHARACTERS || words.split('\n').length > LINES
