import { firstCharacters } from '#text'

/** About two lines, characters. */
const SHORT = 160

/** The beginning of what a seller says, cut between words: their page has all of it. */
export function firstWords(words: string): string {
  const text = words.replace(/\s+/g, ' ').trim()
  if (text.length <= SHORT) return text
  const end = text.lastIndexOf(' ', SHORT)
  // Without spaces, by characters: one of them may be two units.
  return `${end > 0 ? text.slice(0, end) : firstCharacters(text, SHORT)}…`
}
