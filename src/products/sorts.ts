/** The orders a list can have. Apart from the contract, as the categories are. */
export const SORTS = ['relevance', 'newest', 'price_asc', 'price_desc', 'rating'] as const
export type Sort = (typeof SORTS)[number]
