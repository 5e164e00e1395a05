/** The fixed list. Apart from the contract, so that pages which only name the categories need no rules with them. */
export const CATEGORIES = [
  'Home & Living',
  'Clothing & Shoes',
  'Jewelry & Accessories',
  'Toys & Entertainment',
  'Art & Collectibles',
] as const
export type Category = (typeof CATEGORIES)[number]

/** '/categories/home-living' for Home & Living. */
export const categoryAddress = (category: string): string =>
  `/categories/${category.toLowerCase().replace(' & ', '-')}`
