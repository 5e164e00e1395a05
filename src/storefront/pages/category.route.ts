import { data, type LoaderFunctionArgs } from 'react-router'
import { Problem } from '#problem'
import { CATEGORIES, type Category, categoryPath } from '#products/categories.ts'
import { type Browsed, browse } from '#search/web/browse.ts'
import type { Handle } from '#ui/page-title.ts'

/** Introduction of each category. */
const descriptions: Record<Category, string> = {
  'Home & Living': 'Mugs, bowls, boards and vases for every day.',
  'Clothing & Shoes': 'Knitted, felted and sewn to be worn for years.',
  'Jewelry & Accessories': 'Rings, earrings and belts, hammered and stitched by hand.',
  'Toys & Entertainment': 'Wooden things to stack, spin and set off with.',
  'Art & Collectibles': 'Watercolors, weavings and small sculptures.',
}

export const descriptionOf = (category: Category): string => descriptions[category]

/** The category of a slug, undefined if unknown. */
const categoryOf = (slug: string | undefined): Category | undefined =>
  CATEGORIES.find(category => categoryPath(category) === `/categories/${slug}`)

/** A category with its listings. */
export interface InCategory extends Browsed {
  category: Category
}

/** The listings of a category. @throws Problem 404 for an unknown slug */
export async function loader(args: LoaderFunctionArgs) {
  const category = categoryOf(args.params.slug)
  if (!category) throw new Problem(404, 'There is no such category')
  const found: InCategory = { ...(await browse(args, { category })), category }
  return data(found, found.refused === undefined ? 200 : 400)
}

export const handle: Handle<InCategory> = {
  title: ({ category }) => category,
  description: ({ category }) => `${category}, made by hand. ${descriptionOf(category)}`,
}
