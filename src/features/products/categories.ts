/** Not in the contract, so that pages which only name the categories do not load its schemas. */
export const CATEGORIES = [
  'Home & Living',
  'Clothing & Shoes',
  'Jewelry & Accessories',
  'Toys & Entertainment',
  'Art & Collectibles',
] as const
export type Category = (typeof CATEGORIES)[number]

/** '/categories/home-living' for Home & Living. */
export const categoryPath = (category: string): string =>
  `/categories/${category.toLowerCase().replace(' & ', '-')}`
