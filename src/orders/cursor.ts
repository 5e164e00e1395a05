/** With it the list of orders goes on after this one. Apart from the contract, so that the page needs no rules with it. */
export const orderCursor = ({ id }: { id: number }): string => String(id)
