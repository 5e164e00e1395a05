/** Orders of reviews; with equal stars the newest first. */
export const SORTS = ['newest', 'highest', 'lowest'] as const
export type Sort = (typeof SORTS)[number]
