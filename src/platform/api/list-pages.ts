import { type Call, LIST_LIMIT, type ListQuery } from '#contract'

/** Page of a list → cursor of the next page. Beside the page, since the response is a bare array. */
const nextCursors = new WeakMap<object, string>()

type Work = (input: { query: ListQuery }, ...args: unknown[]) => Promise<unknown[]>

/**
 * Wraps the handler of a list so that it returns one page. It loads one entry more than the page has, to know whether there
 * is a next page.
 * @param work the handler. It is called with a limit that is one higher, and has to return one entry more than `fitting` allows
 */
export const paginate =
  ({ fitting }: Pick<Call, 'fitting'>, cursorOf: NonNullable<Call['cursorOf']>, work: Work): Work =>
  async (input, ...args) => {
    const { limit = LIST_LIMIT } = input.query
    const rows = await work({ ...input, query: { ...input.query, limit: limit + 1 } }, ...args)
    const page = rows.slice(0, Math.min(limit, fitting?.(rows as never) ?? limit))
    if (rows.length > page.length) nextCursors.set(page, cursorOf(page.at(-1) as never))
    return page
  }

/** The Link header (RFC 8288) to the next page of a list; undefined for the last page. @param url of the request */
export function linkToNext(url: string, page: unknown): string | undefined {
  const cursor = nextCursors.get(page as object)
  if (cursor === undefined) return undefined
  const { pathname, searchParams } = new URL(url, 'http://shop')
  searchParams.set('cursor', cursor)
  return `<${pathname}?${searchParams}>; rel="next"`
}
