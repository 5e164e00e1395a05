import { twoDecimals } from '#money'

/** '$12.30' */
export const dollars = (price: number): string => `$${twoDecimals(price)}`
