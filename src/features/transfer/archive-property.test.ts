import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { fromCents } from '#money'
import { combinationsOf } from '#products/variations-contract.ts'
import { archiveOf, contentOf, takeIn } from '../../../test/support/listing-archives.ts'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

// Export, import and export again of generated shops.

const RUNS = 12

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
  return () => shop.close()
})

/** A text of one line, as the shop keeps it. */
const line = (max: number, forbidden = /[,\n]/g) =>
  fc
    .string({ unit: fc.constantFrom(...'=+-@\'"";<&·\t a_é€語🎁'), minLength: 1, maxLength: max })
    .map(value => value.replaceAll(forbidden, '').replaceAll(/\s+/g, ' ').trim())
    .filter(value => value !== '')
const lines = (max: number) =>
  fc
    .array(fc.oneof(line(Math.floor(max / 8)), fc.constant('')), { minLength: 1, maxLength: 7 })
    .map(all => all.join('\n').trim())
    .filter(text => text !== '')
/** Different from each other, without regard to case. */
const distinct = (text: fc.Arbitrary<string>, maxLength: number, minLength = 0) =>
  fc.uniqueArray(text, { minLength, maxLength, selector: each => each.toLowerCase() })
const cents = fc.integer({ min: 1, max: 99_999_999 }).map(fromCents)

const question = fc.record({
  ...{ instructions: fc.oneof(fc.constant(''), line(60)), required: fc.boolean() },
  answer: fc.oneof(
    fc.record({ max_length: fc.integer({ min: 1, max: 100 }) }),
    fc.record({ options: distinct(line(20), 4, 2) }),
  ),
})
const variations = fc
  .uniqueArray(fc.record({ title: line(20), options: distinct(line(20, /[,\n·]/g), 4, 1) }), {
    ...{ maxLength: 2, selector: ({ title }) => title },
  })
  .chain(variations =>
    fc.record({
      variations: fc.constant(variations),
      combinations:
        variations.length === 0
          ? fc.constant([])
          : fc.tuple(
              ...combinationsOf(variations).map((options, n) =>
                fc.record({
                  ...{ options: fc.constant(options), price: cents },
                  stock: fc.integer({ min: n === 0 ? 1 : 0, max: 40 }),
                  ...{ sku: fc.oneof(fc.constant(''), line(12)), photo: fc.constantFrom(null, 1, 2) },
                }),
              ),
            ),
    }),
  )
const listing = fc
  .record({
    listing: fc.record({
      ...{ name: line(25), category: fc.constantFrom('Home & Living', 'Art & Collectibles') },
      ...{ description: lines(120), price: cents, stock: fc.integer({ min: 1, max: 1000 }) },
      ...{ title: fc.oneof(fc.constant(''), line(60)), story: fc.oneof(fc.constant(''), lines(2000)) },
      ...{ tags: distinct(line(10), 13), materials: distinct(line(10), 13) },
      ...{ safety: fc.oneof(fc.constant(''), lines(80)), manufacturer: fc.oneof(fc.constant(''), lines(60)) },
      weight_grams: fc.option(fc.integer({ min: 1, max: 50_000 })),
      dimensions: fc.option(
        fc.record({
          ...{ length_mm: fc.integer({ min: 1, max: 5000 }), width_mm: fc.integer({ min: 1, max: 5000 }) },
          height_mm: fc.integer({ min: 1, max: 5000 }),
        }),
      ),
      ...{ made_to_order: fc.boolean(), handling_days: fc.integer({ min: 1, max: 60 }), variations },
    }),
    questions: fc.array(question, { maxLength: 5 }),
    ...{ section: fc.option(fc.constantFrom('Cups', 'Ünique')), alt: fc.oneof(fc.constant(''), line(40)) },
  })
  .map(({ listing, questions, ...rest }) => ({
    ...rest,
    listing: {
      ...listing,
      // A title names its answers.
      questions: questions.map(({ answer, ...each }, n) => ({ title: `Question ${n}`, ...each, ...answer })),
    },
  }))

type Generated = typeof listing extends fc.Arbitrary<infer T> ? T : never

async function makerWith(listings: Generated[]): Promise<Person> {
  const maker = await shop.signUp('maker')
  const sections = new Map<string, number>()
  for (const { listing, section, alt } of listings) {
    if (section !== null && !sections.has(section))
      sections.set(section, (await maker.post('/api/sections/', { name: section })).body.id)
    const section_id = section === null ? null : sections.get(section)
    const { status, body } = await maker.post('/api/products/', { ...listing, section_id })
    expect([status, body.message]).toEqual([201, undefined])
    const photos: { id: number; alt?: string }[] = []
    for (const width of [30, 40]) {
      const { id } = (await maker.upload(`/api/products/${body.id}/images`, pngOf(width, 20))).body
      photos.push({ id, alt })
    }
    await maker.put(`/api/products/${body.id}/images`, { photos })
  }
  return maker
}

async function moveInto(maker: Person, archive: Buffer): Promise<void> {
  await takeIn(shop, maker, archive)
  const { drafts } = (await maker.get('/api/drafts/')).body
  const ids = drafts.map(({ id }: { id: number }) => id)
  expect((await maker.post('/api/drafts/publish', { ids })).body.refused).toEqual([])
}

test('the listings of any shop, exported, imported and exported again, are equal', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(listing, { minLength: 1, maxLength: 3 }), async listings => {
      const archive = await archiveOf(shop, await makerWith(listings))
      const other = await shop.signUp('other')
      await moveInto(other, archive)
      expect(contentOf(await archiveOf(shop, other))).toEqual(contentOf(archive))
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})
