import { NavLink } from 'react-router'
import { CATEGORIES, categoryAddress } from '../categories.ts'
import { COUNTED } from '../finding.ts'
import { addressOf, type Browsed, type Query } from './browse.ts'
import { CategoryMark } from './categories.tsx'
import './categories.css'

interface CategoryStripProps {
  found: Browsed
  /** Without the drawings, where something else comes first. */
  compact?: boolean
}

/** The five categories, side by side, each with what it holds of what the page was narrowed to. */
export const CategoryStrip = ({ found: { counts, query }, compact = false }: CategoryStripProps) => (
  <nav className={compact ? 'categories compact' : 'categories'} aria-label="Categories">
    <ul>
      {CATEGORIES.map(category => (
        <li key={category}>
          <NavLink to={inCategory(category, query)} viewTransition>
            {!compact && <CategoryMark category={category} />}
            <span>{category}</span>
            <Count count={counts.categories.find(each => each.category === category)?.count} />
          </NavLink>
        </li>
      ))}
    </ul>
  </nav>
)

/** The page of the category, narrowed as this one is. */
const inCategory = (category: (typeof CATEGORIES)[number], { category: _, cursor: __, ...query }: Query) =>
  addressOf(categoryAddress(category), query)

/** Nothing where nothing was counted. */
function Count({ count }: { count: number | undefined }) {
  if (count === undefined) return null
  return (
    <span className="category-count">
      <span>{`${count.toLocaleString('en-US')}${count >= COUNTED ? '+' : ''}`}</span>
      <span className="visually-hidden">{count === 1 ? ' piece' : ' pieces'}</span>
    </span>
  )
}
