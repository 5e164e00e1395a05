// Apart from the contract, so that the page needs no rules with it.

/** With it the list of orders goes on after this one. */
export const orderCursor = ({ id }: { id: number }): string => String(id)

/** Lines after which a page of the list takes no further order. */
export const MOST_LINES = 1_000

/** How many of these orders fit on a page that takes no further one once it has so many lines: at least one. */
export function fitting(orders: { products_ordered: readonly unknown[] }[], mostLines: number): number {
  let lines = 0
  const further = orders.findIndex(({ products_ordered }) => {
    const isFull = lines >= mostLines
    lines += products_ordered.length
    return isFull
  })
  return further < 0 ? orders.length : further
}
