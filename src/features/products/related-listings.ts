import type { Listing } from './contract.ts'

/** Most pieces beside the words of a maker. */
export const MAX_OF_SELLER = 3
/** Most similar pieces below the reviews: a row. */
const SIMILAR = 4

/**
 * What a page shows beside its listing, nothing twice: pieces of the same maker, those like it first, and other similar
 * ones.
 * @param similar the best match first
 * @param newest of the maker; may contain the listing itself
 */
export function relatedListings(
  { id, seller_id }: Pick<Listing, 'id' | 'seller_id'>,
  similar: Listing[],
  newest: Listing[],
): { theirs: Listing[]; similar: Listing[] } {
  const likeIt = similar.filter(each => each.seller_id === seller_id)
  const others = newest.filter(each => each.id !== id && !likeIt.some(like => like.id === each.id))
  const theirs = [...likeIt, ...others].slice(0, MAX_OF_SELLER)
  const left = similar.filter(each => !theirs.includes(each))
  return { theirs, similar: left.slice(0, SIMILAR) }
}
