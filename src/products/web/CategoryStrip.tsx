import { NavLink } from 'react-router'
import { CATEGORIES, categoryAddress } from '../categories.ts'
import { CategoryMark } from './categories.tsx'
import './categories.css'

/** The five categories, side by side. */
export const CategoryStrip = () => (
  <nav className="categories" aria-label="Categories">
    <ul>
      {CATEGORIES.map(category => (
        <li key={category}>
          <NavLink to={categoryAddress(category)} viewTransition>
            <CategoryMark category={category} />
            <span>{category}</span>
          </NavLink>
        </li>
      ))}
    </ul>
  </nav>
)
