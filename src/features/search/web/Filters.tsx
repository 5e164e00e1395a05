import { Fragment, type ReactNode, useId } from 'react'
import { Form, Link, useLocation } from 'react-router'
import { CATEGORIES } from '#products/categories.ts'
import { PRICES_CROSSED, QUERY_LENGTH } from '../constants.ts'
import type { Browsed } from './browse.ts'
import { type Query, urlWith } from './filterQuery.ts'

const SORTED = [
  ['price_asc', 'Price, lowest first'],
  ['price_desc', 'Price, highest first'],
  ['rating', 'Best rated first'],
] as const

interface FiltersProps {
  found: Browsed
  /** What the page itself shows: a category has no field, words are not among the filters that are on. */
  without: 'category' | 'q' | undefined
}

/** Prices to choose with one press, dollars. */
const PRICES: { label: string; min?: string; max?: string }[] = [
  { label: 'Up to $25', max: '25' },
  { label: '$25 to $50', min: '25', max: '50' },
  { label: 'From $50', min: '50' },
]

/** Links to price ranges. The chosen one leads back to all prices. */
function PriceLinks({ query }: { query: Query }) {
  const { pathname } = useLocation()
  return (
    <ul className="price-links" aria-label="Price">
      {PRICES.map(({ label, min, max }) => {
        const isChosen = query.min === min && query.max === max
        const range = isChosen ? { min: undefined, max: undefined } : { min, max }
        const { cursor: _, ...others } = query
        return (
          <li key={label}>
            <Link
              className="pill"
              to={urlWith(pathname, { ...others, ...range })}
              aria-current={isChosen || undefined}
              preventScrollReset
            >
              {label}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

/** Form of filters and order, of which the order is always in sight. Every result has an address, with and without scripts. */
export function Filters({ found: { query, counts, refused }, without }: FiltersProps) {
  const { pathname, search } = useLocation()
  const id = useId()
  const crossed = refused === PRICES_CROSSED
  const price = { type: 'number', inputMode: 'decimal', min: '0', step: '0.01' } as const
  const counted = (category: string) => {
    const found = counts.categories.find(each => each.category === category)
    // A refused query counts nothing.
    if (!found || (found.more && found.count === 0)) return category
    return `${category} (${found.count}${found.more ? '+' : ''})`
  }
  return (
    // Remounts for another address, so that the fields show its query.
    <Fragment key={pathname + search}>
      <PriceLinks query={query} />
      <div className="sort">
        <label htmlFor={`${id}-sort`}>Sort by</label>
        <select form={`${id}-form`} id={`${id}-sort`} name="sort" defaultValue={query.sort ?? ''}>
          <option value="">{query.q === undefined ? 'Newest first' : 'What fits best'}</option>
          {query.q !== undefined && <option value="newest">Newest first</option>}
          {SORTED.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <button className="button quiet" type="submit" form={`${id}-form`}>
          Sort
        </button>
      </div>
      <details className="filters" open={refused !== undefined}>
        <summary className="button quiet">Filter</summary>
        <Form method="get" action={pathname} id={`${id}-form`} preventScrollReset>
          {refused !== undefined && (
            <p className="error" role="alert" id={`${id}-refused`}>
              {refused}
            </p>
          )}
          {query.section !== undefined && <input type="hidden" name="section" value={query.section} />}
          <div className="filter-fields">
            <Field label="Words" id={`${id}-q`}>
              <input id={`${id}-q`} type="search" name="q" maxLength={QUERY_LENGTH} defaultValue={query.q} />
            </Field>
            {without !== 'category' && (
              <Field label="Category" id={`${id}-category`}>
                <select id={`${id}-category`} name="category" defaultValue={query.category ?? ''}>
                  <option value="">All categories</option>
                  {CATEGORIES.map(category => (
                    <option key={category} value={category}>
                      {counted(category)}
                    </option>
                  ))}
                </select>
              </Field>
            )}
            <Field label="Price from" id={`${id}-min`}>
              <input
                {...price}
                id={`${id}-min`}
                name="min"
                defaultValue={query.min}
                aria-invalid={crossed || undefined}
                aria-describedby={crossed ? `${id}-refused` : undefined}
              />
            </Field>
            <Field label="Price to" id={`${id}-max`}>
              <input {...price} id={`${id}-max`} name="max" defaultValue={query.max} />
            </Field>
            <Field label="Rating" id={`${id}-rating`}>
              <select id={`${id}-rating`} name="rating" defaultValue={query.rating ?? ''}>
                <option value="">Any</option>
                {[5, 4, 3, 2, 1].map(stars => (
                  <option key={stars} value={stars}>
                    {atLeast(stars)}
                  </option>
                ))}
              </select>
            </Field>
            <p className="check">
              <input
                id={`${id}-stock`}
                type="checkbox"
                name="in_stock"
                value="true"
                defaultChecked={query.in_stock === 'true'}
              />
              <label htmlFor={`${id}-stock`}>In stock only</label>
            </p>
          </div>
          <button className="button" type="submit">
            Show
          </button>
        </Form>
      </details>
    </Fragment>
  )
}

const Field = ({ label, id, children }: { label: string; id: string; children: ReactNode }) => (
  <div className="field">
    <label htmlFor={id}>{label}</label>
    {children}
  </div>
)

/** A rating to filter by, in words. */
const atLeast = (stars: number | string) =>
  `${stars} ${Number(stars) === 1 ? 'star' : 'stars'}${Number(stars) === 5 ? '' : ' and more'}`

/** Active filters, each with the query without it. The words are none where the page itself shows them. */
function narrowing(query: Query, without: FiltersProps['without']): { label: string; left: Query }[] {
  const { q, section, category, min, max, in_stock, rating, cursor: _, ...rest } = query
  const left = { q, section, category, min, max, in_stock, rating, ...rest }
  const price = [min && `from $${min}`, max && `to $${max}`].filter(Boolean).join(' ')
  return [
    q !== undefined && without !== 'q' && { label: `“${q}”`, left: { ...left, q: undefined } },
    section !== undefined && { label: 'one section', left: { ...left, section: undefined } },
    category !== undefined && { label: category, left: { ...left, category: undefined } },
    price !== '' && { label: price, left: { ...left, min: undefined, max: undefined } },
    in_stock === 'true' && { label: 'in stock', left: { ...left, in_stock: undefined } },
    rating !== undefined && { label: atLeast(rating), left: { ...left, rating: undefined } },
  ].filter(entry => entry !== false)
}

/** Active filters with links that remove them. */
export function Chosen({ query, without }: { query: Query; without: FiltersProps['without'] }) {
  const { pathname } = useLocation()
  const entries = narrowing(query, without)
  if (entries.length === 0) return null
  return (
    <ul className="chosen" aria-label="Filters">
      {entries.map(({ label, left }) => (
        <li key={label}>
          <Link
            className="pill"
            to={urlWith(pathname, left)}
            aria-label={`Remove the filter ${label}`}
            preventScrollReset
          >
            <span dir="auto">{label}</span>
            <span aria-hidden="true">×</span>
          </Link>
        </li>
      ))}
      <li>
        <Link to={pathname} preventScrollReset>
          Clear filters
        </Link>
      </li>
    </ul>
  )
}
