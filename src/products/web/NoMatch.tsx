import { Link, useLocation } from 'react-router'
import { Empty } from '#web/Empty.tsx'
import type { Browsed } from './browse.ts'

const LOOSER = {
  words: 'other words',
  category: 'all categories',
  price: 'any price',
  stock: 'sold out ones too',
  rating: 'any rating',
  filters: 'your words alone',
}

/** Nothing fits: what to loosen, with what there would be then. */
export function NoMatch({ found: { loosened } }: { found: Browsed }) {
  const { pathname } = useLocation()
  return (
    <Empty drawing="wool" text="No items match">
      {loosened.length > 0 && (
        <ul className="loosened">
          {loosened.map(({ without, address, count, more }) => (
            <li key={without}>
              <Link
                to={address}
              >{`With ${LOOSER[without]}: ${count === 1 ? '1 piece' : `${count}${more ? '+' : ''} pieces`}`}</Link>
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
