import { expect, test } from 'vitest'
import { firstWords } from './first-words.ts'

test('the first words of a maker end between words', () => {
  expect(firstWords('I throw mugs.\n\nIn a shed.')).toBe('I throw mugs. In a shed.')
  const long = firstWords('clay and water '.repeat(20))
  expect(long).toMatch(/^(clay and water )+clay( and)?( water)?…$/)
  expect(long.length).toBeLessThan(165)
  expect(firstWords('🧶'.repeat(200))).toBe(`${'🧶'.repeat(160)}…`)
})
