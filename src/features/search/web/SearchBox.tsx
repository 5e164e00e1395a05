import { Suspense, useEffect, useRef, useState } from 'react'
import { Form, Link, useLocation, useSearchParams } from 'react-router'
import { Icon } from '#ui/icons.tsx'
import { optionalLazy } from '#ui/lazy.ts'
import { QUERY_LENGTH } from '../constants.ts'
import './search.css'

const Suggestions = optionalLazy(() => import('./Suggestions.tsx').then(file => file.Suggestions))

/**
 * The search field: in the header on wide screens, on the page itself on narrow ones. Loads suggestions on first
 * focus.
 */
export function SearchBox({ place }: { place: 'header' | 'page' }) {
  const input = useRef<HTMLInputElement>(null)
  const [used, setUsed] = useState(false)
  const query = useParameters().get('q') ?? ''
  // After another search the field begins anew, unless more was typed while the results were loading.
  const [[last, key], setLast] = useState<[string, number]>([query, 0])
  if (last !== query)
    setLast([
      query,
      document.activeElement === input.current && input.current?.value !== query ? key : key + 1,
    ])
  // The field may have the focus before hydration.
  useEffect(() => {
    if (document.activeElement === input.current) setUsed(true)
  }, [])
  const { hash, key: entry } = useLocation()
  // On a page load the browser does this itself.
  useEffect(() => {
    if (entry && hash === `#search-${place}`) input.current?.focus()
  }, [hash, entry, place])
  return (
    <search className={`search in-${place}`}>
      <Form action="/search">
        <label className="visually-hidden" htmlFor={`search-${place}`}>
          Search the shop
        </label>
        <input
          key={key}
          ref={input}
          id={`search-${place}`}
          type="search"
          name="q"
          placeholder="Search"
          maxLength={QUERY_LENGTH}
          autoComplete="off"
          defaultValue={query}
          onFocus={() => setUsed(true)}
        />
        <button className="icon-button" type="submit" aria-label="Search">
          <SearchIcon />
        </button>
      </Form>
      {used && (
        <Suspense>
          <Suggestions key={key} input={input} />
        </Suspense>
      )}
    </search>
  )
}

/** The parameters of a page that lists pieces; none of others, whose `q` is something else, such as the name of a maker. */
function useParameters(): URLSearchParams {
  const { pathname } = useLocation()
  const [parameters] = useSearchParams()
  return /^\/($|search$|categories\/|shops\/)/.test(pathname) ? parameters : new URLSearchParams()
}

/** Link to the search field on narrow screens. Keeps the present query. */
export function ToSearch() {
  const { pathname } = useLocation()
  const hidden = [...useParameters()].filter(
    ([name]) => name === 'q' || (pathname === '/search' && name !== 'cursor'),
  )
  const search = new URLSearchParams(hidden).toString()
  return (
    <Link
      className="icon-button to-search"
      to={{ pathname: '/search', search, hash: 'search-page' }}
      aria-label="Search"
    >
      <SearchIcon />
    </Link>
  )
}

const SearchIcon = () => <Icon d="M16 10.5a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM14.5 14.5 20 20" />
