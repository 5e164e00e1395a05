import { Suspense, useEffect, useRef, useState } from 'react'
import { Form, Link, useSearchParams } from 'react-router'
import { Icon } from '#web/icons.tsx'
import { dispensable } from '#web/later.ts'
import { QUERY_LENGTH } from '../finding.ts'
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

/** The way there where the header has no room for the field. */
export const ToSearch = () => (
  <Link className="icon-button to-search" to="/search" aria-label="Search">
    <SearchIcon />
  </Link>
)

const SearchIcon = () => <Icon d="M16 10.5a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM14.5 14.5 20 20" />
