/** How many listings a page shows before it offers more. */
export const PAGE_SIZE = 24
