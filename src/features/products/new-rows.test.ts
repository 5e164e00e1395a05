import { expect, test } from 'vitest'
import { typedVariations } from './form-variations.ts'
import { validateRows, withNewRows } from './new-rows.ts'
import { rowControls, rowsOf } from './row-controls.ts'

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
const broken = (texts: Record<string, string>) => validateRows(name => texts[name])

test('the first rows begin with the price and the stock of the listing', () => {
  const texts = withNewRows(sizes('Small\nLarge'))
  expect(rowsIn(texts)).toEqual([
    ['Small', '12.50', '4', ''],
    ['Large', '12.50', '4', ''],
  ])
  expect(withNewRows(texts)).toEqual(texts)
})

test('rows follow the price and the stock of the listing until they have others', () => {
  const given = { combination_2_price: '30.00', combination_1_stock: '2' }
  const texts = { ...withNewRows(sizes('Small\nLarge')), ...given, price: '24.999', stock: '9' }
  expect(rowsIn(withNewRows(texts))).toEqual([
    ['Small', '25.00', '2', ''],
    ['Large', '30.00', '9', ''],
  ])
  // Sent before the rows show it.
  const sent = { ...withNewRows(texts), price: '24.99', stock: '8' } as Record<string, string>
  expect(typedVariations(name => sent[name])?.combinations).toMatchObject([
    { price: 24.99, stock: 2 },
    { price: 30, stock: 8 },
  ])
  // An emptied price is on its way to another.
  const empty = withNewRows({ ...texts, price: '' })
  expect(rowsIn(empty)[0]).toEqual(['Small', '12.50', '2', ''])
  expect(rowsIn(withNewRows({ ...empty, price: '13' }))[0]).toEqual(['Small', '13.00', '2', ''])
})

test('rows that are for sale, and those without a former price, follow nothing', () => {
  const texts = { ...sizes('Small\nLarge'), ...forSale(['Small', '12.50', '4'], ['Large', '12.50', '0']) }
  expect(rowsIn(withNewRows({ ...withNewRows(texts), price: '20', stock: '9' }))).toEqual([
    ['Small', '12.50', '4', '4'],
    ['Large', '12.50', '0', '0'],
  ])
  const { combinations_price: _, combinations_stock: __, ...imported } = withNewRows(sizes('Small'))
  expect(rowsIn(withNewRows({ ...imported, price: '20', stock: '9' }))).toEqual([['Small', '12.50', '4', '']])
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

test('an option is new in its variation, also if the other one has one of this name', () => {
  const rows = forSale(['White · White', '10.00', '1'], ['Blue · White', '30.00', '2'])
  const both = { ...rows, variation_2: 'Lid', variation_2_options: 'White\nBlue' }
  expect(rowsIn(withNewRows(sizes('White\nBlue', both))).map(([options]) => options)).toEqual([
    'White · White',
    'White · Blue',
    'Blue · White',
    'Blue · Blue',
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
