import { expect, test } from 'vitest'
import { countries, countryName } from './countries.ts'
import { fieldsOf, labelOf, linesOf } from './formats.ts'
import { postalHint } from './postal-codes.ts'

const address = {
  name: 'Ana Lund',
  line1: 'Long Street 5',
  line2: '',
  city: 'Lakeside',
  region: '',
  postal_code: '12345',
  country: 'DE',
}
const lines = (change: Partial<typeof address>) => {
  const changed = { ...address, ...change }
  return linesOf(changed, countryName(changed.country))
}

test('every country is on the list once, with its name', () => {
  expect(new Set(countries).size).toBe(250)
  for (const code of countries) expect(countryName(code), code).not.toBe(code)
  expect(countryName('constructor')).toBe('constructor')
})

test.each([
  ['DE', {}, ['12345 Lakeside', 'Germany']],
  ['US', { region: 'IL' }, ['Lakeside, IL 12345', 'United States']],
  ['US', {}, ['Lakeside 12345', 'United States']],
  ['GB', { region: 'Kent', postal_code: 'M1 1AE' }, ['Lakeside', 'Kent', 'M1 1AE', 'United Kingdom']],
  ['AE', { postal_code: '', region: 'Dubai' }, ['Lakeside', 'Dubai', 'United Arab Emirates']],
  ['BR', { region: 'SP' }, ['Lakeside-SP', '12345', 'Brazil']],
  ['AQ', { region: 'Coast' }, ['Lakeside, Coast 12345', 'Antarctica']],
])('an address in %s has the order of its country', (country, change, below) => {
  expect(lines({ country, ...change })).toEqual(['Ana Lund', 'Long Street 5', ...below])
})

test('an address in Japanese goes from large to small, one in Latin letters does not', () => {
  const tokyo = {
    country: 'JP',
    postal_code: '100-0001',
    line1: '千代田1-1',
    city: '千代田区',
    region: '東京都',
  }
  expect(lines({ ...tokyo, name: '山田花子' })).toEqual([
    '〒100-0001',
    '東京都 千代田区',
    '千代田1-1',
    '山田花子',
    'Japan',
  ])
  expect(lines({ ...tokyo, line1: '1-1 Chiyoda', city: 'Chiyoda-ku', region: 'Tokyo' })).toEqual([
    'Ana Lund',
    '1-1 Chiyoda',
    'Chiyoda-ku, Tokyo 100-0001',
    'Japan',
  ])
})

test('nothing that somebody typed is left out', () => {
  const full = { ...address, line2: 'Second floor', region: 'Overthere' }
  for (const country of [...countries, 'ZZ']) {
    const text = linesOf({ ...full, country }, 'Somewhere').join('\n')
    for (const part of [full.name, full.line1, full.line2, full.city, full.region, full.postal_code])
      expect(text.split(part).length, `${country} ${part}`).toBe(2)
    expect(text.endsWith('\nSomewhere')).toBe(true)
  }
})

test('the form has the fields of the country; what is typed elsewhere stays', () => {
  expect(fieldsOf('DE', {})).toEqual(['name', 'line1', 'line2', 'postal_code', 'city'])
  expect(fieldsOf('HK', {})).not.toContain('postal_code')
  expect(fieldsOf('HK', { postal_code: '1' })).toContain('postal_code')
  expect(fieldsOf('JP', {})).toEqual(['name', 'postal_code', 'region', 'city', 'line1', 'line2'])
  expect(labelOf('postal_code', 'US')).toBe('ZIP code')
  expect(labelOf('region', 'US')).toBe('State')
  expect(labelOf('postal_code', 'IE')).toBe('Eircode')
  for (const country of [...countries, ''])
    expect(new Set(fieldsOf(country, {})).size, country).toBe(fieldsOf(country, {}).length)
})

test.each([
  ['DE', '10115', true],
  ['DE', '1011', false],
  ['GB', 'sw1a1aa', true],
  ['GB', 'SW1', false],
  ['IE', 'D02 X285', true],
  ['IE', 'A65 F4E2', true],
  ['IE', 'Dublin', false],
  ['JP', '１００−０００１', true],
  ['LV', '1050', true],
  ['US', '20500-0001', true],
  ['US', '', false],
  ['AE', '', true],
])('a postal code in %s, %s: %s', (country, code, isUsual) => {
  expect(postalHint(country, code) === undefined).toBe(isUsual)
})
