// What both sides know about finding. Apart from the contract, so that pages with lists need no rules with them.

/** The orders a list can have. */
export const SORTS = ['relevance', 'newest', 'price_asc', 'price_desc', 'rating'] as const
export type Sort = (typeof SORTS)[number]

/** Characters of what is searched for. */
export const QUERY_LENGTH = 100

export const PRICES_CROSSED = 'Minimum price cannot exceed maximum price'
