import { type ReactNode, Suspense } from 'react'
import { ListingGrid } from '#products/web/ListingGrid.tsx'
import { ssrLazy } from '#ui/lazy.ts'
import type { Sort } from '../constants.ts'
import type { Counted } from '../contract.ts'
import type { Browsed } from './browse.ts'
import { FILTERS, type Query } from './filterQuery.ts'
import './browse.css'

// Links and a form work without scripts, so these load later.
const loadNoMatch = () => import('./NoMatch.tsx').then(file => file.NoMatch)
const loadFilters = () => import('./Filters.tsx').then(file => file.Filters)
const loadChosen = () => import('./Filters.tsx').then(file => file.Chosen)
const Filters = ssrLazy(loadFilters, import.meta.env.SSR ? await loadFilters() : undefined)
const Chosen = ssrLazy(loadChosen, import.meta.env.SSR ? await loadChosen() : undefined)
const NoMatch = ssrLazy(loadNoMatch, import.meta.env.SSR ? await loadNoMatch() : undefined)

interface BrowseProps {
  found: Browsed
  /** Shown if the list is empty without filters. */
  children?: ReactNode
  /** What the page itself shows: a category has no field, words are not among the filters that are on. */
  without?: 'category' | 'q'
  /** A page that is only a list: a wide window has the filters in sight. Other lists say that nobody pays to stand higher. */
  beside?: boolean
  /** Whether the pictures of the first row load at once. Not if others are above. Default: true. */
  eager?: boolean
}

/** A list of listings with filters and order. */
export function Browse({ found, without, beside = false, eager, children }: BrowseProps) {
  const { page, counts, query, refused } = found
  const narrowed = FILTERS.some(name => query[name] !== undefined)
  if (counts.count === 0 && !narrowed && !refused) return children
  return (
    <div className={beside ? 'browse beside' : 'browse'}>
      <div className="browse-head">
        <p className="results" role="status" tabIndex={-1}>
          {refused ? '' : `${numberOf(counts)}. `}
          {correctionNote(query, page)}
          {counts.count > 0 && (
            <span className="sorted">
              {orderOf(query)}
              {beside ? '' : ' Nobody pays to stand higher.'}
            </span>
          )}
        </p>
        <Suspense>
          <Filters found={found} without={without} />
        </Suspense>
      </div>
      {narrowed && (
        <Suspense>
          <Chosen query={query} without={without} />
        </Suspense>
      )}
      {page.products.length === 0 ? (
        !refused && (
          <Suspense>
            <NoMatch found={found} />
          </Suspense>
        )
      ) : (
        <ListingGrid {...page} eager={eager} />
      )}
    </div>
  )
}

/** Note if the search was corrected or reduced. */
function correctionNote({ q = '' }: Query, { read_as, fewer }: Browsed['page']): string {
  if (read_as === undefined) return ''
  if (!fewer) return `Nothing says “${q}”; these say “${read_as}”. `
  return `No piece says ${q.trim().split(/\s+/).length === 2 ? 'both' : 'all of it'}; these say “${read_as}”. `
}

const numberOf = ({ count, more }: Counted): string =>
  count === 1 && !more ? '1 piece' : `${count.toLocaleString('en-US')}${more ? ' or more' : ''} pieces`

const ORDERS: Record<Sort, string> = {
  relevance: 'Those named so first, then the newest.',
  newest: 'Newest first.',
  price_asc: 'Lowest price first.',
  price_desc: 'Highest price first.',
  rating: 'Best rated first, where many reviews say more than one.',
}
/** Label of the list's order. */
function orderOf({ q, sort }: Query): string {
  const order = sort === 'relevance' && q === undefined ? undefined : (sort as Sort | undefined)
  return ORDERS[order ?? (q === undefined ? 'newest' : 'relevance')]
}
