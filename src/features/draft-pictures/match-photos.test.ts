import { expect, test } from 'vitest'
import { matchPhotos } from './match-photos.ts'

const drafts = [
  { id: 1, names: ['MUG-01', 'Speckled mug, blue (large)'] },
  { id: 2, names: ['Scarf'] },
  { id: 3, names: ['Twin'] },
  { id: 4, names: ['twin', ''] },
]
const awaited = [
  { id: 11, url: 'https://i.etsystatic.com/1/r/il/ab/123/il_fullxfull.123_abc.jpg?version=0' },
  { id: 12, url: 'https://i.etsystatic.com/1/r/il/ab/124/il_fullxfull.124_abc.jpg' },
]
const match = (...files: string[]) => matchPhotos(files, drafts, awaited)

test('a photo is found by the file name of its address, in any size and type', () => {
  const { photos } = match('photos/il_794xN.123_abc.webp', 'IL_FULLXFULL.124_ABC.JPG')
  expect(Object.fromEntries(photos)).toEqual({
    'photos/il_794xN.123_abc.webp': 11,
    'IL_FULLXFULL.124_ABC.JPG': 12,
  })
})

test('a second file for the same address has no place', () => {
  expect(match('a/il_fullxfull.123_abc.jpg', 'b/il_fullxfull.123_abc.jpg').unknown).toEqual([
    'b/il_fullxfull.123_abc.jpg',
  ])
})

test.each([
  'MUG-01.jpg',
  'mug 01.png',
  'MUG-01-2.jpg',
  'MUG-01_3.jpg',
  'MUG-01 (2).jpg',
  'Speckled mug, blue (large).jpg',
  'speckled-mug-blue-large.jpg',
  'speckled-mug-blue-large-10.jpg',
  'MUG-01/anything.jpg',
  'all/Speckled Mug Blue Large/front/1.jpg',
])('%s belongs to the draft with this SKU or title', file => {
  expect(match(file).drafts.get(file)).toBe(1)
})

test.each(['other.jpg', 'twin.jpg', 'Twin/1.jpg', '.jpg', '1.jpg', '---/---.jpg', 'MUG.jpg'])(
  '%s has no place',
  file => {
    expect(match(file)).toMatchObject({ unknown: [file] })
  },
)

test('the nearest name decides, and files of a draft are in the order of their numbers', () => {
  expect([...match('scarf/10.jpg', 'scarf/2.jpg', 'scarf/MUG-01.jpg').drafts]).toEqual([
    ['scarf/2.jpg', 2],
    ['scarf/10.jpg', 2],
    ['scarf/MUG-01.jpg', 1],
  ])
})
