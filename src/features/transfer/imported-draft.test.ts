import { expect, test } from 'vitest'
import { validateTexts } from '#products/form-listing.ts'
import { lengthOf } from '#text'
import type { EtsyListing } from './etsy-listing.ts'
import { importedDraft } from './imported-draft.ts'

const PICTURE = 'https://i.etsystatic.com/123/r/il/ab12cd/4567/il_fullxfull.4567_x1y2.jpg'
const small: EtsyListing = {
  title: 'Speckled mug',
  description: 'Thrown by hand. Holds 300 ml.',
  price_cents: 2650,
  currency: 'USD',
  quantity: 3,
  tags: ['blue mug', 'gift'],
  materials: ['Stoneware', 'Glaze'],
  images: [PICTURE],
  variations: [],
  skus: ['A-1'],
}
const draft = (changed: Partial<EtsyListing>) => importedDraft({ ...small, ...changed })

test('a listing that fits becomes a draft without notes', () => {
  expect(importedDraft(small)).toEqual({
    fields: {
      name: 'Speckled mug',
      title: '',
      description: 'Thrown by hand. Holds 300 ml.',
      story: '',
      price: '26.50',
      stock: '3',
      tags: 'blue mug, gift',
      materials: 'Stoneware, Glaze',
    },
    pictures: [PICTURE],
    variations: [],
    skus: ['A-1'],
    notes: [],
  })
})

test('a long title is cut at a word for the name, and kept whole', () => {
  const title = 'Speckled stoneware mug, handmade coffee cup | gift for her, birthday'
  const { fields, notes } = draft({ title })
  expect([fields.name, fields.title]).toEqual(['Speckled stoneware mug, handmade coffee cup | gift', title])
  expect(notes).toEqual([
    { kind: 'cut', field: 'name', message: `A name has at most 50 characters: “${fields.name}”` },
  ])
  const longer = draft({ title: 'mug '.repeat(60).trim() })
  expect([longer.fields.title.length, longer.notes.map(({ field }) => field)]).toEqual([
    139,
    ['name', 'title'],
  ])
})

test('a long description becomes the story, and its first sentences the description', () => {
  const description = `Thrown by hand.\n\n${'It holds tea. '.repeat(400)}`.trim()
  const { fields, notes } = draft({ description })
  expect(fields.description).toMatch(/^Thrown by hand\.\nIt holds tea\.( It holds tea\.){15,17}$/)
  expect(lengthOf(fields.story)).toBeGreaterThan(4_980)
  expect(lengthOf(fields.story)).toBeLessThanOrEqual(5_000)
  expect(description.startsWith(fields.story)).toBe(true)
  expect(notes).toEqual([
    {
      kind: 'cut',
      field: 'story',
      message: 'A story has at most 5000 characters: the end of it is left out',
    },
  ])
  const middle = draft({ description: description.slice(0, 1_000).trim() })
  expect([middle.fields.story, middle.notes]).toEqual([description.slice(0, 1_000).trim(), []])
})

test('tags and materials that do not fit are left out by name', () => {
  const tags = Array.from({ length: 14 }, (_, index) => `tag ${index}`)
  const { fields, notes } = draft({
    tags: ['a tag of many characters', ...tags],
    materials: ['x'.repeat(46), 'Wool'],
  })
  expect([fields.tags, fields.materials]).toEqual([tags.slice(0, 13).join(', '), 'Wool'])
  expect(notes.map(({ kind, field, message }) => [kind, field, message])).toEqual([
    ['cut', 'tags', 'At most 13 tags with 20 characters each: left out a tag of many characters, tag 13'],
    ['cut', 'materials', `At most 13 materials with 45 characters each: left out ${'x'.repeat(46)}`],
  ])
})

test('variations become those of the draft, with a row for each combination whose stock is to be filled in', () => {
  const variations = [
    { type: 'Custom Property', name: 'Size', values: ['S', 'M'] },
    { type: 'Colour', name: '', values: ['Blue'] },
  ]
  const { notes, variations: groups, fields } = draft({ variations })
  expect(groups).toEqual(variations)
  expect(fields).toMatchObject({
    ...{
      variation_1: 'Size',
      variation_1_options: 'S\nM',
      variation_2: 'Colour',
      variation_2_options: 'Blue',
    },
    ...{ combination_1: 'S · Blue', combination_1_price: '26.50', combination_1_stock: '' },
    ...{ combination_2: 'M · Blue', combination_2_price: '26.50', combination_2_stock: '' },
  })
  expect(validateTexts(name => fields[name])).toMatchObject({
    combination_1_stock: 'Stock is required',
    combination_2_stock: 'Stock is required',
  })
  expect(notes).toEqual([
    {
      kind: 'check',
      field: 'variation_1',
      message:
        'The file has one price and one stock for all combinations of Size (2) and Colour (1). Check the price and fill in the stock of each',
    },
  ])
})

test('too many variations are cut, with a note', () => {
  const group = (name: string, count: number) => ({
    ...{ type: '', name, values: Array.from({ length: count }, (_, n) => `${name} ${n + 1}`) },
  })
  const third = draft({ variations: [group('Size', 1), group('Colour', 1), group('Glaze', 3)] })
  expect(third.notes[0]?.message).toBe('A listing has at most 2 variations: Glaze (3) is left out')
  expect(third.fields).toMatchObject({ combination_1: 'Size 1 · Colour 1' })
  const many = draft({ variations: [group('Size', 21), group('Colour', 20)] })
  expect(many.notes).toEqual([
    {
      kind: 'cut',
      field: 'variation_1',
      message: 'A listing has at most 400 combinations: Size (21) and Colour (20) are left out',
    },
  ])
  expect(many.fields.variation_1).toBeUndefined()
  const long = draft({ variations: [{ type: '', name: 'Size', values: ['a · b', 'x'.repeat(41), 'a - b'] }] })
  expect(long.fields.variation_1_options).toBe(`a - b\n${'x'.repeat(40)}`)
  expect(long.notes.map(({ kind }) => kind)).toEqual(['cut', 'check'])
})

test.each([
  [{ currency: 'EUR' }, 'price', 'The price is in EUR, and here it is in USD. It is not converted'],
  [{ price_cents: null }, 'price', 'The file has no price'],
  [{ price_cents: 100_000_000 }, 'price', 'A price cannot be more than 999,999.99'],
  [{ quantity: null }, 'stock', 'The file has no quantity'],
  [
    { images: [PICTURE, 'http://i.etsystatic.com/1.jpg', 'https://i.etsystatic.com.evil/1.jpg'] },
    'photos',
    '2 of 3 pictures are not at Etsy, so they are not fetched',
  ],
  [
    { images: ['http://i.etsystatic.com/1.jpg', PICTURE] },
    'photos',
    '1 of 2 pictures is not at Etsy, so it is not fetched',
  ],
])('%j is to be checked', (changed: Partial<EtsyListing>, field, message) => {
  expect(draft(changed).notes).toEqual([{ kind: 'check', field, message }])
})
