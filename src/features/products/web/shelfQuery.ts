import { firstCharacters } from '#text'
import { pageCursorIn } from '#ui/page-cursor.ts'
import { SHELF_SORTS, type ShelfQuery } from '../bulk-contract.ts'

export const YOUR_LISTINGS = '/your-listings'

/** The filters of Your Listings in its address. Empty texts for missing ones. */
export interface Shelf {
  state: 'listed' | 'retired'
  /** Words of the name. */
  q: string
  soldOut: boolean
  sort: NonNullable<ShelfQuery['sort']>
}

export function shelfIn(search: string): Shelf {
  const query = new URLSearchParams(search)
  return {
    state: query.get('state') === 'retired' ? 'retired' : 'listed',
    q: firstCharacters((query.get('q') ?? '').trim(), 100),
    soldOut: query.get('sold_out') === 'true',
    sort: SHELF_SORTS.find(sort => sort === query.get('sort')) ?? 'newest',
  }
}

/** Whether listings are left out, beside the retired or listed ones. */
export const isNarrowed = ({ q, soldOut }: Shelf): boolean => q !== '' || soldOut

/** The query of an address that shows this, without the page; empty for all that are listed, newest first. */
export function queryOf({ state, q, soldOut, sort }: Shelf): URLSearchParams {
  return new URLSearchParams({
    ...(state === 'retired' ? { state } : {}),
    ...(q === '' ? {} : { q }),
    ...(soldOut ? { sold_out: 'true' } : {}),
    ...(sort === 'newest' ? {} : { sort }),
  })
}

/** Address of the same page of the list, without the delete dialog. */
export function listingsAt(search: string): string {
  const query = queryOf(shelfIn(search))
  for (const [name, value] of new URLSearchParams(pageCursorIn(search))) query.append(name, value)
  return query.size > 0 ? `${YOUR_LISTINGS}?${query}` : YOUR_LISTINGS
}
