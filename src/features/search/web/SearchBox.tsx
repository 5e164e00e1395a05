import { Suspense, useEffect, useRef, useState } from 'react'
import { Form, Link, useLocation, useSearchParams } from 'react-router'
import { Icon } from '#ui/icons.tsx'
import { dispensable } from '#ui/lazy.ts'
import { QUERY_LENGTH } from '../constants.ts'
import './search.css'

const Suggestions = dispensable(async () => (await import('./Suggestions.tsx')).Suggestions)

/**
 * Words to look for. It stands in the header where there is room, and on a narrow screen on the pages themselves.
 * What could be meant is suggested from the first look at the field on.
 */
export function SearchBox({ place }: { place: 'header' | 'page' }) {
  const input = useRef<HTMLInputElement>(null)
  const [used, setUsed] = useState(false)
  const asked = useSearchParams()[0].get('q') ?? ''
  // Somebody may be in it since before the scripts were there.
  useEffect(() => {
    if (document.activeElement === input.current) setUsed(true)
  }, [])
  const { hash, key } = useLocation()
  // The browser does so itself where it loads the page.
  useEffect(() => {
    if (key && hash === `#${input.current?.id}`) input.current?.focus()
  }, [hash, key])
  return (
    <search className={`search in-${place}`}>
      <Form action="/search">
        <label className="visually-hidden" htmlFor={`search-${place}`}>
          Search the shop
        </label>
        <input
          // After another search, its words.
          key={asked}
          ref={input}
          id={`search-${place}`}
          type="search"
          name="q"
          placeholder="Search"
          maxLength={QUERY_LENGTH}
          autoComplete="off"
          defaultValue={asked}
          onFocus={() => setUsed(true)}
        />
        <button className="icon-button" type="submit" aria-label="Search">
          <SearchIcon />
        </button>
      </Form>
      {used && (
        <Suspense>
          <Suggestions key={asked} input={input} />
        </Suspense>
      )}
    </search>
  )
}

/** The way to the field where the header has no room for it. What was searched for is still asked for there. */
export function ToSearch() {
  const { pathname } = useLocation()
  const [asked] = useSearchParams()
  const kept = [...asked].filter(([name]) => name === 'q' || (pathname === '/search' && name !== 'cursor'))
  const search = new URLSearchParams(kept).toString()
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
