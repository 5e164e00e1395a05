import type { Id } from '#contract'

/** Most rows of a list in memory: a maker may have sold for many years. */
export const PAGE_SIZE = 200

/**
 * A long list, page by page (keyset pagination).
 * @param read the rows after an id, in the order of their ids
 */
export async function* pages<Row>(
  read: (after: Id) => Promise<Row[]>,
  idOf: (row: Row) => Id,
): AsyncGenerator<Row[]> {
  for (let page = await read(0); ; ) {
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    page = await read(idOf(last))
  }
}
