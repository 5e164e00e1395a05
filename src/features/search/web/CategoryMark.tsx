import type { Category } from '#products/categories.ts'
import { Icon } from '#ui/icons.tsx'

const marks: Record<Category, string> = {
  'Home & Living':
    'M5 8h11v8.5a3.5 3.5 0 0 1-3.5 3.5h-4A3.5 3.5 0 0 1 5 16.5zM16 10h1.5a2.5 2.5 0 0 1 0 5H16M8 2.5c-1 1.2 1 1.8 0 3M12 2.5c-1 1.2 1 1.8 0 3',
  'Clothing & Shoes':
    'M4.5 17.5h15V21h-15zM5.5 17.5v-3a6.5 6.5 0 0 1 13 0v3M9 17.5v-3.5M12 17.5v-4M15 17.5v-3.5M10.3 6a1.8 1.8 0 1 1 3.4 0',
  'Jewelry & Accessories':
    'M17.5 15a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM9 10l-2-3.5L9 3.5h6l2 3-2 3.5M7 6.5h10',
  'Toys & Entertainment':
    'M3 18.5a9 9 0 0 1 18 0zM7.5 18.5a4.5 4.5 0 0 1 9 0M5 6.5a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
  'Art & Collectibles': 'M4 3.5h16v17H4zM7.5 7h9v10h-9zM7.5 15l3-3.5 2.5 2.5 1.5-1.5 2 2M14 9.5h.01',
}

/** Icon of a category. */
export const CategoryMark = ({ category }: { category: Category }) => (
  <Icon size={32} line={1.5} d={marks[category]} />
)
