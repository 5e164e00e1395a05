import { greetingOf, type Letter, type LetterPart } from '#letter'

/** Longest value of a header. Subjects contain names that people have chosen. */
const MAX_HEADER = 150
/** Control characters and line breaks, and marks that turn the direction of the text around them. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]+/gu

/** A text that fits into a header: on one line, without control characters, at most 150 characters. */
export function headerText(text: string): string {
  const line = text.replace(UNSAFE, ' ').replace(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length <= MAX_HEADER ? line : `${characters.slice(0, MAX_HEADER - 1).join('')}…`
}

/** Removes control characters from each line. */
const lines = (text: string) => text.split(/\r\n?|\n/).map(line => line.replace(UNSAFE, ' '))

function textOf(part: LetterPart, origin: string): string {
  if ('text' in part) return lines(part.text).join('\n')
  if ('quote' in part)
    return lines(part.quote)
      .map(line => `> ${line}`)
      .join('\n')
  if ('rows' in part) return part.rows.map(([label, value]) => `- ${headerText(label)}: ${value}`).join('\n')
  return `${part.link}:\n${origin}${part.path}`
}

/** The plain text of a letter. @param origin of all links, without a slash at the end @param shop the name of the shop */
export const letterText = (letter: Letter, origin: string, shop: string): string =>
  [
    greetingOf(letter),
    ...letter.parts.map(part => textOf(part, origin)),
    `-- \nYou get this letter from ${shop} because ${letter.why}.`,
    ...(letter.stop ? [textOf(letter.stop, origin)] : []),
  ].join('\n\n')

/** A letter without characters that could change what is around them, in HTML and in headers. */
export const cleanLetter = (letter: Letter): Letter => ({
  ...letter,
  subject: headerText(letter.subject),
  name: headerText(letter.name),
  parts: letter.parts.map(part => {
    if ('text' in part) return { text: lines(part.text).join('\n') }
    if ('quote' in part) return { quote: lines(part.quote).join('\n') }
    if ('rows' in part)
      return {
        rows: part.rows.map(([label, value]): [string, string] => [
          headerText(label),
          lines(value).join(' '),
        ]),
      }
    return part
  }),
})
