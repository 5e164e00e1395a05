import { describe, expect, test } from 'vitest'
import {
  COLUMNS,
  cells,
  HEADER,
  HEADER_27,
  ITALIAN,
  line,
  listings,
  mug,
  PICTURE,
  read,
  row,
} from '../../../test/support/etsy-files.ts'
import { readListings } from './read-listings.ts'

describe('a file is read', () => {
  const plain = `${HEADER}\n${row()}\n`
  test.each([
    ['as Etsy writes it', plain],
    ['with a byte order mark', `\ufeff${plain}`],
    ['without a line end', plain.trimEnd()],
    ['with CRLF', plain.replaceAll('\n', '\r\n')],
    ['with CR', plain.replaceAll('\n', '\r')],
    ['with a CRLF header and LF rows', plain.replace('\n', '\r\n')],
    [
      'with semicolons and a decimal comma',
      [HEADER.replaceAll(',', ';'), line(cells({ PRICE: '26,5' }), ';')].join('\n'),
    ],
    [
      'with a third group of variations',
      `${HEADER_27}\n${line([...cells().slice(0, -1), '', '', '', ''])}\n`,
    ],
    ['in Italian', `${ITALIAN}\n${row()}\n`],
    [
      'with quotes around each cell',
      plain.replace(
        HEADER,
        COLUMNS.concat('SKU')
          .map(name => `"${name}"`)
          .join(','),
      ),
    ],
    ['with empty rows', `${plain}\n${','.repeat(23)}\n`],
    ['without the empty cells at the end', `${HEADER}\n${line(cells().slice(0, 8))}\n`],
  ])('%s', async (_, file) => {
    expect(await listings(file)).toEqual([mug])
    // However the bytes arrive.
    expect(await listings(file, 1)).toEqual([mug])
  })

  test('with every column in its place', async () => {
    const images = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`IMAGE${index + 1}`, `${PICTURE}?${index}`]),
    )
    const variations = {
      ...{
        'VARIATION 1 TYPE': 'Custom Property',
        'VARIATION 1 NAME': 'Size',
        'VARIATION 1 VALUES': 'L,S, M',
      },
      ...{ 'VARIATION 2 TYPE': 'Colour', 'VARIATION 2 NAME': 'Glaze', 'VARIATION 2 VALUES': 'Blue' },
    }
    const [first, ...more] = cells({ ...images, ...variations, SKU: 'A-1,A-2' })
    expect(await read(`${HEADER}\n${row()}\n${line([first ?? '', ...more])}\n`)).toEqual([
      { row: 2, listing: mug },
      {
        row: 3,
        listing: {
          ...mug,
          images: Object.values(images),
          variations: [
            { type: 'Custom Property', name: 'Size', values: ['L', 'S', 'M'] },
            { type: 'Colour', name: 'Glaze', values: ['Blue'] },
          ],
          skus: ['A-1', 'A-2'],
        },
      },
    ])
    const third = ['Custom Property', 'Handle', 'Left,Right', 'A-1']
    const [listing] = await listings(`${HEADER_27}\n${line([...cells(variations).slice(0, -1), ...third])}\n`)
    expect([listing?.variations.map(({ name }) => name), listing?.skus]).toEqual([
      ['Size', 'Glaze', 'Handle'],
      ['A-1'],
    ])
  })

  test('in UTF-8 or Windows-1252', async () => {
    const title = 'Café “Größe” – 5 € 🎁'
    for (const piece of [1, 7, 1_000])
      expect((await listings(`${HEADER}\n${row({ TITLE: title })}\n`, piece))[0]?.title).toBe(title)
    const windows = `${HEADER}\n${row({ TITLE: 'Caf\u00e9 \u0093Gr\u00f6\u00dfe\u0094 \u0096 5 \u0080' })}\n`
    expect((await listings(Buffer.from(windows, 'latin1')))[0]?.title).toBe('Café “Größe” – 5 €')
  })

  test.each([
    ['30', 3000],
    ['19.99', 1999],
    ['19,99', 1999],
    ['26.5', 2650],
    ['1500000', 150_000_000],
    ['', null],
  ])('with the price %j', async (price, cents) => {
    expect((await listings(`${HEADER}\n${row({ PRICE: price })}\n`))[0]?.price_cents).toBe(cents)
  })

  test('with formulas as text, and quantities of nothing', async () => {
    const typed = { TITLE: '=cmd|calc', DESCRIPTION: "'+1 more", TAGS: '-50_off', QUANTITY: '' }
    expect(await listings(`${HEADER}\n${row(typed)}\n${row({ QUANTITY: '0' })}\n`)).toEqual([
      { ...mug, title: '=cmd|calc', description: '+1 more', tags: ['-50 off'], quantity: null },
      { ...mug, quantity: 0 },
    ])
  })

  test('without reading ahead of what is taken', async () => {
    let opened = 0
    let chunks = 0
    async function* source() {
      opened += 1
      yield Buffer.from(`${HEADER}\n`)
      for (let count = 0; count < 400; count += 1) {
        if (opened === 2) chunks += 1
        yield Buffer.from(`${row({ DESCRIPTION: 'x'.repeat(10_000) })}\n`)
      }
    }
    for await (const { row } of readListings(source)) {
      expect(row).toBe(2)
      break
    }
    expect(opened).toBe(2)
    expect(chunks).toBeLessThan(100)
  })
})
