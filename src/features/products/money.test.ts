import { expect, test } from 'vitest'
import { dollars, fromCents, isWholeCents, times, toCents, twoDecimals } from '#money'

test('every price from 0.01 to 10,000.00 survives the way to cents and back', () => {
  for (let cents = 1; cents <= 1_000_000; cents++) {
    const price = Number(`${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`)
    if (!isWholeCents(price) || toCents(price) !== cents || fromCents(cents) !== price) {
      expect({ price, cents: toCents(price), back: fromCents(cents) }).toBe(cents)
    }
  }
})

test('fractions of a cent are refused', () => {
  for (const amount of [0.1 + 0.2, 1.005, 0.001, 33.333, 999_999.991])
    expect(isWholeCents(amount)).toBe(false)
})

test('people see two decimals', () => {
  expect([0.1, 12.3, 1234, 0].map(twoDecimals)).toEqual(['0.10', '12.30', '1234.00', '0.00'])
  expect([0.1, 1234].map(dollars)).toEqual(['$0.10', '$1234.00'])
})

test('an amount several times is exact', () => {
  expect([times(0.1, 3), times(19.99, 10), times(999_999.99, 3)]).toEqual([0.3, 199.9, 2_999_999.97])
})
