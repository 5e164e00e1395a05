import { NavLink } from 'react-router'
import { CATEGORIES } from '../categories.ts'
import { CategoryMark, slugOf } from './categories.tsx'
import './categories.css'

/** The five categories, side by side. */
export const CategoryStrip = () => (
  <nav className="categories" aria-label="Categories">
    <ul>
      {CATEGORIES.map(category => (
        <li key={category}>
          <NavLink to={`/categories/${slugOf(category)}`} viewTransition>
            <CategoryMark category={category} />
            <span>{category}</span>
          </NavLink>
        </li>
      ))}
    </ul>
  </nav>
)
