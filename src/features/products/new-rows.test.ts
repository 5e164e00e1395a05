import { expect, test } from 'vitest'
import { brokenRows, withNewRows } from './new-rows.ts'
import { rowControls, rowsOf } from './typed-variations.ts'

/** The texts of a form whose first variation has options. */
const sizes = (options: string, more: Record<string, string> = {}) => ({
  ...{ price: '12,5', stock: '4', variation_1: 'Size', variation_1_options: options },
  ...more,
})
/** Each row: its name, price, stock, and the stock that it was based on. */
const rowsIn = (texts: Record<string, string>) =>
  rowsOf(name => texts[name]).map(n => {
    const { options, price, stock, stock_shown } = rowControls(n)
    return [options, price, stock, stock_shown].map(control => texts[control])
  })
const broken = (texts: Record<string, string>) => brokenRows(name => texts[name])

test('the first rows begin with the price and the stock of the listing', () => {
  const texts = withNewRows(sizes('Small\nLarge'))
  expect(rowsIn(texts)).toEqual([
    ['Small', '12.50', '4', ''],
    ['Large', '12.50', '4', ''],
  ])
  expect(withNewRows(texts)).toEqual(texts)
})

test.each([
  ['without a price', sizes('Small', { price: '' })],
  ['without a title', sizes('Small', { variation_1: '' })],
  ['with an option twice', sizes('Small\nSmall')],
  [
    'with too many combinations',
    sizes(manyOptions(), { variation_2: 'Glaze', variation_2_options: manyOptions() }),
  ],
])('a form %s gets no rows', (_, texts) => {
  expect(withNewRows(texts)).toBe(texts)
})
function manyOptions(): string {
  return Array.from({ length: 21 }, (_, n) => `Option ${n}`).join('\n')
}

/** Combinations that are for sale, as their form shows them. */
const forSale = (...rows: [name: string, price: string, stock: string][]) =>
  Object.fromEntries(
    rows.flatMap(([name, price, stock], index) => {
      const controls = rowControls(index + 1)
      const texts = { options: name, price, stock, stock_shown: stock, sku: '', photo: '' }
      return Object.entries(controls).map(([part, control]) => [control, texts[part as keyof typeof texts]])
    }),
  )

test('what is typed in a row stays, and new and renamed options have no stock', () => {
  const rows = forSale(['Small', '10.00', '1'], ['Large', '30.00', '2'])
  expect(rowsIn(withNewRows(sizes('Small\nHuge\nMedium', rows)))).toEqual([
    ['Small', '10.00', '1', '1'],
    ['Huge', '12.50', '0', ''],
    ['Medium', '12.50', '0', ''],
  ])
})

test('a combination that was left out stays so', () => {
  const rows = forSale(['Small · Red', '10.00', '1'], ['Large · Blue', '30.00', '2'])
  const both = { ...rows, variation_2: 'Glaze', variation_2_options: 'Red\nBlue' }
  expect(rowsIn(withNewRows(sizes('Small\nLarge', both)))).toEqual([
    ['Small · Red', '10.00', '1', '1'],
    ['Large · Blue', '30.00', '2', '2'],
  ])
})

test('a second variation divides each row with its price, and one that is taken away leaves no stock', () => {
  const one = forSale(['Small', '10.00', '1'], ['Large', '30.00', '2'])
  const second = { variation_2: 'Glaze', variation_2_options: 'Red' }
  expect(rowsIn(withNewRows(sizes('Small\nLarge', { ...one, ...second })))).toEqual([
    ['Small · Red', '10.00', '0', ''],
    ['Large · Red', '30.00', '0', ''],
  ])
  const two = forSale(['Small · Red', '10.00', '1'], ['Large · Red', '30.00', '2'])
  expect(rowsIn(withNewRows(sizes('Small\nLarge', two)))).toEqual([
    ['Small', '12.50', '0', ''],
    ['Large', '12.50', '0', ''],
  ])
})

test('a form with rows says which combinations have none, unless something else is wrong', () => {
  const rows = forSale(['Small', '10.00', '1'])
  expect(broken(sizes('Small', rows))).toEqual({})
  expect(broken(sizes('Small\nHuge', rows))).toEqual({
    variation_1_options: 'Huge is new: give it a price and a stock below',
  })
  expect(broken(sizes('Small\nHuge\nTiny', rows))).toEqual({
    variation_1_options: 'Huge and 1 more are new: give each a price and a stock below',
  })
  expect(broken(sizes('Small\nHuge\nHuge', rows))).toEqual({})
  expect(broken(sizes('Small\nHuge'))).toEqual({})
})
