import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lengthOf } from '#text'
import { cutAtWord, firstSentences } from './cut-text.ts'

test.each([
  ['Blue mug', 8, 'Blue mug'],
  ['Blue mug, large', 8, 'Blue mug'],
  ['Blue mug, large', 9, 'Blue mug'],
  ['Blue mugs', 8, 'Blue'],
  ['Mug | Cup | Bowl', 11, 'Mug | Cup'],
  ['Supercalifragilistic', 5, 'Super'],
  ['手作りのマグカップ', 4, '手作りの'],
  ['a👩‍👩‍👧b', 3, 'a'],
  ['🎁🎁 🎁🎁', 4, '🎁🎁'],
])('%j is cut to %i characters at a word', (text, max, cut) => {
  expect(cutAtWord(text, max)).toBe(cut)
})

test.each([
  ['Short.', 'Short.'],
  ['A mug.  Thrown by hand.\n\n\nHolds 300 ml, and more.', 'A mug. Thrown by hand.'],
  ['WELCOME\n\nThis mug is thrown by hand, in a small studio', 'WELCOME'],
  ['This mug is thrown by hand in a small studio', 'This mug is thrown by hand in…'],
])('of %j the first sentences that fit are taken', (text, first) => {
  expect(firstSentences(text, 30)).toBe(first)
})

test('nothing is longer than it may be, and all of it is in the text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 400 }),
    fc.string({ unit: fc.constantFrom(...'a. !?\n,|-é🎁'), maxLength: 400 }),
  )
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 60 }), (text, max) => {
      const cut = cutAtWord(text, max)
      expect(lengthOf(cut)).toBeLessThanOrEqual(max)
      expect(text.startsWith(cut)).toBe(true)
      const first = firstSentences(text, max)
      expect(lengthOf(first)).toBeLessThanOrEqual(max)
      expect(text.replaceAll(/\s/g, '')).toContain(first.replace(/…$/, '').replaceAll(/\s/g, ''))
    }),
    { numRuns: 500 },
  )
})

test('long texts without blanks are cut quickly', () => {
  for (const letter of ['x', '-', '🎁', ' ']) {
    const text = `${letter.repeat(50_000)}x`
    const started = performance.now()
    cutAtWord(text, 5_000)
    firstSentences(text, 255)
    expect(performance.now() - started).toBeLessThan(1_000)
  }
})
