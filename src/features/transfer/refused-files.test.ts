import { describe, expect, test } from 'vitest'
import { COLUMNS, HEADER, ITALIAN, read, refusal, row } from '../../../test/support/etsy-files.ts'
import { readListings } from './read-listings.ts'

describe('a file is refused', () => {
  const etsys = /^The first row is not that of Etsy's listings file/
  test.each([
    ['that is empty', '', /^The file is empty$/],
    ['that is a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 0xff]), etsys],
    ['that is a workbook', Buffer.from('PK\u0003\u0004\u0014\0'), /^This is an Excel workbook/],
    ['in UTF-16', Buffer.from(`\ufeff${HEADER}`, 'utf16le'), /^This file is encoded as UTF-16/],
    ['of orders', 'Sale Date,Order ID,Buyer User ID,SKU\n', etsys],
    ['with other columns', `${HEADER.replace('IMAGE10,', '')}\n`, etsys],
    [
      'with columns in another order',
      `${HEADER.replace('TITLE,', '').replace(',SKU', ',TITLE,SKU')}\n`,
      etsys,
    ],
    ['with 10,000 columns', `${COLUMNS.slice(0, 4)}${',x'.repeat(10_000)},SKU\n`, etsys],
  ])('%s', async (_, file, why) => {
    expect(await refusal(file)).toEqual([400, expect.stringMatching(why)])
  })

  const price = 'is no price above 0. Write it as 1234.50 or 1234,50, without thousands separators'
  test.each([
    [`PRICE: “1.234,50” ${price}`, { PRICE: '1.234,50' }],
    [`PRICE: “1,250” ${price}`, { PRICE: '1,250' }],
    [`PRICE: “$5” ${price}`, { PRICE: '$5' }],
    [`PRICE: “-1” ${price}`, { PRICE: '-1' }],
    [`PRICE: “1e3” ${price}`, { PRICE: '1e3' }],
    [`PRICE: “0.00” ${price}`, { PRICE: '0.00' }],
    ['PRICE: the cell is longer than 20 characters', { PRICE: '9'.repeat(21) }],
    ['TITLE: the title is missing', { TITLE: ' ' }],
    ['TITLE: the cell is longer than 1,000 characters', { TITLE: 'x'.repeat(1_001) }],
    ['CURRENCY_CODE: “dollars” is no currency such as USD', { CURRENCY_CODE: 'dollars' }],
    ['QUANTITY: “1.5” is no whole number from 0 to 1,000,000', { QUANTITY: '1.5' }],
    ['QUANTITY: “1000001” is no whole number from 0 to 1,000,000', { QUANTITY: '1000001' }],
    ['DESCRIPTION: the cell has a NUL character, which no text can have', { DESCRIPTION: 'a\0b' }],
    ['IMAGE10: the cell is longer than 1,000 characters', { IMAGE10: 'x'.repeat(1_001) }],
    ['SKU: the cell is longer than 20,000 characters', { SKU: 'x'.repeat(20_001) }],
  ])('with a wrong cell: %s', async (why, wrong) => {
    expect(await refusal(`${HEADER}\n${row()}\n${row(wrong)}\n${row()}\n`)).toEqual([400, `Row 3, ${why}`])
  })

  test('by the name that its own header gives a column', async () => {
    const file = `${ITALIAN}\n${row({ PRICE: 'molto' })}\n`
    expect(await refusal(file)).toEqual([400, `Row 2, PREZZO: “molto” ${price}`])
  })

  test('with a megabyte in a cell', async () => {
    for (const letter of ['x', 'ß', '"'])
      expect(
        await refusal(`${HEADER}\n${row()}\n${row({ DESCRIPTION: letter.repeat(1_048_576) })}\n`),
      ).toEqual([400, 'Row 3, DESCRIPTION: the cell is too long'])
  })

  test('that is cut off', async () => {
    const whole = `${HEADER}\n${row()}\n${row({ SKU: 'A-1' })}`
    const inQuotes = whole.slice(0, whole.lastIndexOf('Holds'))
    expect(await refusal(inQuotes)).toEqual([
      400,
      'Row 3, DESCRIPTION: a quote is not closed. Perhaps the file is cut off here. Download it again',
    ])
    const between = whole.slice(0, whole.lastIndexOf('USD'))
    expect((await refusal(between)).slice(0, 2)).toEqual([
      400,
      'Row 3: the file is cut off here. Download it again',
    ])
    const late = whole.slice(0, whole.lastIndexOf(',,,'))
    expect(await refusal(late)).toEqual([400, 'Row 3: the file is cut off here. Download it again'])
  })

  test('with more cells than columns, fewer than it needs, and quotes in the wrong place', async () => {
    expect(await refusal(`${HEADER}\n${row()}\n${row()},x\n`)).toEqual([
      400,
      'Row 3: it has 25 columns, more than the first row',
    ])
    expect(await refusal(`${HEADER}\nmug,nice,3\n`)).toEqual([
      400,
      'Row 2, CURRENCY_CODE: this column and those after it are missing',
    ])
    const quotes = 'a quote stands where none can be. Within a cell it must be doubled'
    expect(await refusal(`${HEADER}\nA 5" mug${row()}\n`)).toEqual([400, `Row 2, TITLE: ${quotes}`])
    expect(await refusal(`${HEADER}\n${row()}\nmug,"a "nice" one"\n`)).toEqual([
      400,
      `Row 3, DESCRIPTION: ${quotes}`,
    ])
  })

  test('with all its wrong cells, 20 at most, and nothing after the first', async () => {
    const wrong = row({ PRICE: 'x', QUANTITY: 'y' })
    const taken: number[] = []
    const reading = async () => {
      const file = Buffer.from([HEADER, row(), wrong, row(), wrong].join('\n'))
      for await (const { row } of readListings(() => [file])) taken.push(row)
    }
    await expect(reading()).rejects.toMatchObject({
      errors: ['Row 3, PRICE', 'Row 3, QUANTITY', 'Row 5, PRICE', 'Row 5, QUANTITY'].map(place =>
        expect.stringContaining(`${place}: `),
      ),
    })
    expect(taken).toEqual([2])
    expect(await refusal([HEADER, ...Array.from({ length: 30 }, () => wrong)].join('\n'))).toHaveLength(21)
  })

  test('with more than 5,000 listings or 20 MB', async () => {
    const rows = (count: number) => `${HEADER}\n${`${row()}\n`.repeat(count)}`
    expect(await read(rows(5_000))).toHaveLength(5_000)
    expect(await refusal(rows(5_001))).toEqual([400, 'Row 5002: a file can have at most 5,000 listings'])
    expect(await refusal(`${HEADER}\n${'\n'.repeat(1_000_000)}`)).toEqual([
      400,
      'Row 5002: a file can have at most 5,000 listings',
    ])
    expect(await refusal(Buffer.alloc(20 * 1024 * 1024 + 1, HEADER))).toEqual([
      413,
      'The file can have at most 20 MB',
    ])
  })
})
