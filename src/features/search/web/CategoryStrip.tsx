import { NavLink } from 'react-router'
import { CATEGORIES, type Category, categoryPath } from '#products/categories.ts'
import type { Counted } from '../contract.ts'
import type { Browsed } from './browse.ts'
import { CategoryMark } from './CategoryMark.tsx'
import { type Query, urlWith } from './filterQuery.ts'
import './categories.css'

interface CategoryStripProps {
  found: Browsed
  /** Without the icons. */
  compact?: boolean
}

/** The five categories with their number of matches. */
export const CategoryStrip = ({ found: { counts, query }, compact = false }: CategoryStripProps) => (
  <nav className={compact ? 'categories compact' : 'categories'} aria-label="Categories">
    <ul>
      {CATEGORIES.map(category => (
        <li key={category}>
          <NavLink to={inCategory(category, query)} viewTransition>
            {!compact && <CategoryMark category={category} />}
            <span>{category}</span>
            <Count of={counts.categories.find(each => each.category === category)} />
          </NavLink>
        </li>
      ))}
    </ul>
  </nav>
)

/** The category's page with the same filters. */
const inCategory = (category: Category, { category: _, cursor: __, ...query }: Query) =>
  urlWith(categoryPath(category), query)

/** Nothing without a count. */
function Count({ of }: { of: Counted | undefined }) {
  const { count = 0, more } = of ?? {}
  if (!of || (count === 0 && more)) return null
  return (
    <span className={count === 0 ? 'category-count none' : 'category-count'}>
      <span>{`${count.toLocaleString('en-US')}${more ? '+' : ''}`}</span>
      <span className="visually-hidden">{count === 1 && !more ? ' piece' : ' pieces'}</span>
    </span>
  )
}
