import { dollars } from '#money'

/** The price of a listing, as shoppers read it: 'From $12.00' if it has several. */
export const listedPrice = ({ price, price_varies }: { price: number; price_varies: boolean }): string =>
  `${price_varies ? 'From ' : ''}${dollars(price)}`
