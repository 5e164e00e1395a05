/** Listings per page. */
export const PAGE_SIZE = 24
