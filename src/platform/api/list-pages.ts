import { type Call, LIST_LIMIT, type ListQuery } from '#contract'

/** Pages of bare lists → the cursor with which the list goes on. Beside them, because nothing else fits into an array. */
const nexts = new WeakMap<object, string>()

type Work = (asked: { query: ListQuery }, ...given: unknown[]) => Promise<unknown[]>

/**
 * Answers a page of a list. One entry more than it has is looked for, which tells whether the list goes on.
 * @param work is asked with a limit of one more, and gives one more than `fitting` lets pass
 */
export const pageByPage =
  ({ fitting }: Pick<Call, 'fitting'>, cursorOf: NonNullable<Call['cursorOf']>, work: Work): Work =>
  async (asked, ...given) => {
    const { limit = LIST_LIMIT } = asked.query
    const rows = await work({ ...asked, query: { ...asked.query, limit: limit + 1 } }, ...given)
    const page = rows.slice(0, Math.min(limit, fitting?.(rows as never) ?? limit))
    if (rows.length > page.length) nexts.set(page, cursorOf(page.at(-1) as never))
    return page
  }

/** The Link header (RFC 8288) from a page of a list to the next; undefined on the last. @param url that was asked for */
export function linkToNext(url: string, page: unknown): string | undefined {
  const cursor = nexts.get(page as object)
  if (cursor === undefined) return undefined
  const { pathname, searchParams } = new URL(url, 'http://shop')
  searchParams.set('cursor', cursor)
  return `<${pathname}?${searchParams}>; rel="next"`
}
