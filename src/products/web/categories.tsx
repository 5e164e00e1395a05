import type { ReactNode } from 'react'
import { CATEGORIES } from '../categories.ts'

type Category = (typeof CATEGORIES)[number]

/** Words that a category's page says of it, and its mark. */
const about: Record<Category, { slug: string; words: string; mark: ReactNode }> = {
  'Home & Living': {
    slug: 'home-living',
    words: 'Mugs, bowls, boards and vases for every day.',
    mark: (
      <path d="M5 8h11v8.500a3.500 3.500 0 0 1-3.500 3.500h-4A3.500 3.500 0 0 1 5 16.500zM16 10h1.500a2.500 2.500 0 0 1 0 5H16M8 2.500c-1 1.200 1 1.800 0 3M12 2.500c-1 1.200 1 1.800 0 3" />
    ),
  },
  'Clothing & Shoes': {
    slug: 'clothing-shoes',
    words: 'Knitted, felted and sewn to be worn for years.',
    mark: (
      <path d="M4.500 17.500h15V21h-15zM5.500 17.500v-3a6.500 6.500 0 0 1 13 0v3M9 17.500v-3.500M12 17.500v-4M15 17.500v-3.500M10.300 6a1.800 1.800 0 1 1 3.400 0" />
    ),
  },
  'Jewelry & Accessories': {
    slug: 'jewelry-accessories',
    words: 'Rings, earrings and belts, hammered and stitched by hand.',
    mark: (
      <path d="M17.500 15a5.500 5.500 0 1 1-11 0 5.500 5.500 0 0 1 11 0zM9 10l-2-3.500L9 3.500h6l2 3-2 3.500M7 6.500h10" />
    ),
  },
  'Toys & Entertainment': {
    slug: 'toys-entertainment',
    words: 'Wooden things to stack, spin and set off with.',
    mark: (
      <path d="M3 18.500a9 9 0 0 1 18 0zM7.500 18.500a4.500 4.500 0 0 1 9 0M5 6.500a2 2 0 1 0 4 0 2 2 0 1 0-4 0" />
    ),
  },
  'Art & Collectibles': {
    slug: 'art-collectibles',
    words: 'Watercolours, weavings and small sculptures.',
    mark: (
      <path d="M4 3.500h16v17H4zM7.500 7h9v10h-9zM7.500 15l3-3.500 2.500 2.500 1.500-1.500 2 2M14 9.500h.010" />
    ),
  },
}

export const slugOf = (category: Category): string => about[category].slug
export const wordsOf = (category: Category): string => about[category].words
/** The category an address names, undefined where it names none. */
export const categoryOf = (slug: string | undefined): Category | undefined =>
  CATEGORIES.find(category => about[category].slug === slug)

/** The category's drawing. */
export const CategoryMark = ({ category }: { category: Category }) => (
  <svg
    className="icon"
    viewBox="0 0 24 24"
    width="32"
    height="32"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.500"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {about[category].mark}
  </svg>
)
