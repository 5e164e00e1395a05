import { firstCharacters, lengthOf } from '#text'

/** Blanks and separators that make no sense at the end of a cut text. */
const SEPARATORS = /[\s,;:|/•·–—\-&+(]{1,9}$/u

/**
 * The words that fit. A text without blanks, as in Japanese, is cut between two characters as people see them.
 * @param max code points
 */
export function cutAtWord(text: string, max: number): string {
  if (lengthOf(text) <= max) return text
  // One more: a blank or comma right behind the limit ends a word.
  const words = /^(.+)[\s,;:|/•·]/su.exec(firstCharacters(text, max + 1))?.[1]
  return words?.replace(SEPARATORS, '') || fitting(graphemes, text, max)
}

/** The first sentences that fit; if the first one is too long, its beginning with … @param max code points */
export function firstSentences(text: string, max: number): string {
  const lines = text.split('\n').flatMap(line => line.replaceAll(/\s+/g, ' ').trim() || [])
  const whole = lines.join('\n')
  if (lengthOf(whole) <= max) return whole
  return fitting(sentences, whole, max) || `${cutAtWord(whole, max - 1)}…`
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** The first segments that fit, without blanks at the end. */
function fitting(segmenter: Intl.Segmenter, text: string, max: number): string {
  let fit = ''
  let length = 0
  for (const { segment } of segmenter.segment(text)) {
    if (length + lengthOf(segment.trimEnd()) > max) break
    fit += segment
    length += lengthOf(segment)
  }
  return fit.trimEnd()
}
