import { expect, test } from 'vitest'
import { decimalIn, firstCharacters, numberIn } from '#text'

test('numbers are digits, with a decimal point', () => {
  expect([' 12 ', '-3', '+4', '12.50', '.5', '7.'].map(numberIn)).toEqual([12, -3, 4, 12.5, 0.5, 7])
  for (const other of ['1e3', '0x10', '0b1', 'Infinity', '1,5', '1 000', '1.2.3', '.', 'abc'])
    expect([other, numberIn(other)]).toEqual([other, Number.NaN])
  expect(numberIn(' ')).toBeUndefined()
})

test('a decimal comma is read where there may be one', () => {
  expect(['12,50', '12.50', ',5'].map(decimalIn)).toEqual([12.5, 12.5, 0.5])
  for (const other of ['1e3', '1,000.00']) expect([other, decimalIn(other)]).toEqual([other, Number.NaN])
  expect(decimalIn('')).toBeUndefined()
})

test('no cut leaves half of a character', () => {
  expect(firstCharacters('ab🫖c', 3)).toBe('ab🫖')
  expect(firstCharacters('ab', 3)).toBe('ab')
})
