import { Link, useLocation } from 'react-router'
import { Empty } from '#ui/Empty.tsx'
import type { Browsed } from './browse.ts'
import type { Query } from './filterQuery.ts'

/** Label of a suggestion to drop filters. */
function labelOf(without: Browsed['relaxed'][number]['without'], { q, ...others }: Query): string {
  const isAlone = !['category', 'section', 'min', 'max', 'in_stock', 'rating'].some(name => name in others)
  return {
    words: isAlone ? 'Everything' : `Without “${q}”`,
    category: 'In all categories',
    section: 'In all sections',
    price: 'At any price',
    stock: 'With sold-out pieces',
    rating: 'With any rating',
    filters: `“${q}” without filters`,
  }[without]
}

/** No matches: suggests filters to drop, with the number of matches then. */
export function NoMatch({ found: { relaxed, query } }: { found: Browsed }) {
  const { pathname } = useLocation()
  return (
    <Empty drawing="wool" text="No items match">
      {relaxed.length > 0 && (
        <ul className="loosened">
          {relaxed.map(({ without, address, count, more }) => (
            <li key={without}>
              <Link
                to={address}
              >{`${labelOf(without, query)}: ${count === 1 ? '1 piece' : `${count}${more ? '+' : ''} pieces`}`}</Link>
            </li>
          ))}
        </ul>
      )}
      <Link className="button quiet" to={pathname}>
        Clear filters
      </Link>
    </Empty>
  )
}
