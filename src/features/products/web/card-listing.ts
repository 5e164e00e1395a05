import type { Listing } from '../contract.ts'

/** What a card shows of a listing. */
export type CardListing = Pick<
  Listing,
  | 'id'
  | 'name'
  | 'price'
  | 'price_varies'
  | 'stock'
  | 'seller'
  | 'maker'
  | 'maker_picture'
  | 'images'
  | 'rating'
  | 'review_count'
>

/** For a rendered page, whose data loads before the first picture: the listings without what no card shows. */
export const cardListings = (listings: Listing[]): CardListing[] =>
  import.meta.env.SSR ? listings.map(cardListing) : listings

function cardListing(listing: Listing): CardListing {
  const { id, name, price, price_varies, stock, seller, maker, maker_picture, rating, review_count } = listing
  const images = listing.images.slice(0, 1)
  return { id, name, price, price_varies, stock, seller, maker, maker_picture, images, rating, review_count }
}
