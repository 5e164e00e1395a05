// Not in the contract, so that pages with lists do not load its schemas.

/** Orders of a list. */
export const SORTS = ['relevance', 'newest', 'price_asc', 'price_desc', 'rating'] as const
export type Sort = (typeof SORTS)[number]

/** Maximum length of a query, characters. */
export const QUERY_LENGTH = 100

export const PRICES_CROSSED = 'Minimum price cannot exceed maximum price'
