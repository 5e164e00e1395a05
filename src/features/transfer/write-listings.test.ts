import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromCents } from '#money'
import { detailsOf } from '#products/form-details.ts'
import type { WrittenVariations } from '#products/variations-contract.ts'
import type { EtsyListing } from './etsy-listing.ts'
import { exportedListing } from './exported-listing.ts'
import { importedDraft } from './imported-draft.ts'
import { readListings } from './read-listings.ts'
import { writeListings } from './write-listings.ts'

/** A text as the shop keeps it: trimmed, without NUL, with `\n` as line end. */
const text = (max: number, forbidden = /[\r\0]/g) =>
  fc
    .oneof(
      fc.string({ unit: 'binary', maxLength: max }),
      fc.string({ unit: fc.constantFrom(...'=+-@＝\'"";,\t\n a_é€🎁'), maxLength: max }),
    )
    .map(value => value.replaceAll(forbidden, '').trim())
const some = (max: number, forbidden?: RegExp) => text(max, forbidden).filter(value => value !== '')
/** A word of a list; in tags and materials an underscore is a blank. */
const words = (forbidden: RegExp) => fc.array(some(20, forbidden), { maxLength: 13 })

const listing: fc.Arbitrary<EtsyListing> = fc.record({
  title: some(140),
  description: text(500),
  price_cents: fc.option(fc.integer({ min: 1, max: 99_999_999 })),
  currency: fc.constantFrom('USD', 'EUR'),
  quantity: fc.option(fc.integer({ min: 0, max: 1_000_000 })),
  tags: words(/[\r\0,_]/g),
  materials: words(/[\r\0,_]/g),
  images: fc.array(fc.webUrl(), { maxLength: 10 }),
  variations: fc.array(fc.record({ type: text(40), name: some(40), values: words(/[\r\0,]/g) }), {
    maxLength: 2,
  }),
  skus: words(/[\r\0,]/g),
})

const written = async (listings: EtsyListing[]) => (await Array.fromAsync(writeListings(listings))).join('')

test('what is written is read unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(listing, { maxLength: 5 }), async listings => {
      const file = Buffer.from(await written(listings))
      const read = await Array.fromAsync(readListings(() => [file]))
      expect(read).toEqual(listings.map((listing, index) => ({ row: index + 2, listing })))
    }),
    { numRuns: 300 },
  )
})

/** Tags or materials as the form takes them: none twice, without blanks in a row. */
const typed = words(/[\r\0,_]/g).map(words => {
  const blanks = words.map(word => word.replaceAll(/\s+/g, ' '))
  return [...new Map(blanks.map(word => [word.toLowerCase(), word])).values()]
})
const ours = fc.record({
  name: some(50),
  title: text(140),
  description: some(255),
  story: text(5_000),
  price: fc.integer({ min: 1, max: 99_999_999 }).map(fromCents),
  stock: fc.integer({ min: 0, max: 1_000_000 }),
  tags: typed,
  materials: typed,
  variations: fc.constant<WrittenVariations>({ variations: [], combinations: [] }),
})

test('a listing that is taken out, in and out again is the same', async () => {
  await fc.assert(
    fc.asyncProperty(ours, async listing => {
      const out = exportedListing(listing, ['https://shop.example/photos/1.jpg'])
      const file = Buffer.from(await written([out]))
      const [read] = await Array.fromAsync(readListings(() => [file]))
      const { fields, pictures, notes } = importedDraft(read?.listing ?? out)
      expect(notes.filter(({ kind, field }) => kind === 'cut' && field !== 'name')).toEqual([])
      const { tags = [], materials = [] } = detailsOf(name => fields[name as keyof typeof fields])
      const { price, stock, ...texts } = fields
      const { variations } = listing
      const again = { ...texts, variations, price: Number(price), stock: Number(stock), tags, materials }
      expect(exportedListing(again, pictures)).toEqual(out)
    }),
    { numRuns: 300 },
  )
})

test('the file has the 24 columns of Etsy, underscores in tags, and no formulas', async () => {
  const file = await written([
    {
      title: '=HYPERLINK("http://evil")',
      description: '@SUM(A1)\nand more',
      price_cents: 2650,
      currency: 'USD',
      quantity: 3,
      tags: ['-50 off', 'blue mug'],
      materials: ['Sea glass'],
      images: ['https://shop.example/photos/1.jpg'],
      variations: [{ type: 'Colour', name: '+Colour', values: ['Blue', 'Sea green'] }],
      skus: ['A-1', 'A-2'],
    },
  ])
  const [header, ...rows] = file.split('\r\n')
  expect(header?.replaceAll('"', '')).toBe(
    [
      '\ufeffTITLE,DESCRIPTION,PRICE,CURRENCY_CODE,QUANTITY,TAGS,MATERIALS',
      'IMAGE1,IMAGE2,IMAGE3,IMAGE4,IMAGE5,IMAGE6,IMAGE7,IMAGE8,IMAGE9,IMAGE10',
      'VARIATION 1 TYPE,VARIATION 1 NAME,VARIATION 1 VALUES',
      'VARIATION 2 TYPE,VARIATION 2 NAME,VARIATION 2 VALUES,SKU',
    ].join(','),
  )
  expect(rows).toEqual([
    [
      `"'=HYPERLINK(""http://evil"")","'@SUM(A1)\nand more",26.5,"USD",3,"'-50_off,blue_mug","Sea glass"`,
      `"https://shop.example/photos/1.jpg"${','.repeat(9)}`,
      `"Colour","'+Colour","Blue,Sea green",,,,"A-1,A-2"`,
    ].join(','),
    '',
  ])
})
