// Not in the contract, so that the page does not load its schemas.

/** The list of orders continues after this one. */
export const orderCursor = ({ id }: { id: number }): string => String(id)

/** A page of the list ends after so many lines. */
export const PAGE_LINES = 1_000

/** How many of these orders fit on a page of `maxLines` lines: at least one. */
export function fitting(orders: { products_ordered: readonly unknown[] }[], maxLines: number): number {
  let lines = 0
  const further = orders.findIndex(({ products_ordered }) => {
    const isFull = lines >= maxLines
    lines += products_ordered.length
    return isFull
  })
  return further < 0 ? orders.length : further
}
