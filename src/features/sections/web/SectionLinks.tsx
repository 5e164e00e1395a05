import { Link } from 'react-router'
import type { Section } from '../contract.ts'
import './sections.css'

interface Props {
  sections: Section[]
  /** Address of the page with all listings. */
  all: string
  /** Id of the section that is shown. */
  chosen: string | undefined
}

/** Links to the sections of a maker. Nothing without sections. */
export function SectionLinks({ sections, all, chosen }: Props) {
  if (sections.length === 0) return null
  const current = (isCurrent: boolean) => (isCurrent ? 'page' : undefined)
  return (
    <nav className="section-links" aria-label="Sections">
      <ul>
        <li>
          <Link to={all} aria-current={current(chosen === undefined)} preventScrollReset>
            All
          </Link>
        </li>
        {sections.map(({ id, name, listings }) => (
          <li key={id}>
            <Link
              to={`${all}?section=${id}`}
              aria-current={current(chosen === String(id))}
              preventScrollReset
            >
              <span dir="auto">{name}</span>
              <span className="listings">{` ${listings}`}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
