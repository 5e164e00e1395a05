import { expect, test } from 'vitest'
import type { Listing } from './contract.ts'
import { relatedListings } from './related-listings.ts'

const piece = (id: number, seller_id: number) => ({ id, seller_id }) as Listing
const ids = (pieces: Listing[]) => pieces.map(({ id }) => id)

test('three pieces of the maker, those like it first, and a row of others, nothing twice', () => {
  const similar = [piece(2, 1), piece(3, 9), piece(4, 8), piece(5, 8), piece(6, 8), piece(7, 8)]
  const newest = [piece(1, 1), piece(8, 1), piece(2, 1), piece(9, 1)]
  const { theirs, similar: others } = relatedListings({ id: 1, seller_id: 1 }, similar, newest)
  expect(ids(theirs)).toEqual([2, 8, 9])
  expect(ids(others)).toEqual([3, 4, 5, 6])
})

test('more than three like it of one maker are among the similar ones', () => {
  const similar = [2, 3, 4, 5, 6].map(id => piece(id, 1))
  const { theirs, similar: others } = relatedListings({ id: 1, seller_id: 1 }, similar, similar)
  expect([ids(theirs), ids(others)]).toEqual([
    [2, 3, 4],
    [5, 6],
  ])
})
