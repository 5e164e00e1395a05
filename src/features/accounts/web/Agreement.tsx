import { useId } from 'react'
import { partsOf } from '../agreement-text.ts'
import type { PageToAgree } from '../contract.ts'

/** Value of the checkbox: the versions that one agrees to. */
const versionsOf = (pages: PageToAgree[]) => pages.map(({ version }) => version).join(' ')

interface Props {
  pages: PageToAgree[]
  error: string | undefined
  /** Value of the refused form: another version is another agreement. */
  typed: string | undefined
}

/** "I agree to the Terms and the Privacy notice". Nothing if there is nothing to agree to. */
export function Agreement({ pages, error, typed }: Props) {
  const id = useId()
  if (pages.length === 0) return null
  const value = versionsOf(pages)
  return (
    <div className="field choices" key={value}>
      <label className="tick">
        <input
          type="checkbox"
          name="agreed"
          value={value}
          required
          defaultChecked={typed === value}
          aria-invalid={error ? true : undefined}
          aria-describedby={[`${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')}
        />
        {`I agree to ${partsOf(pages).join('')}`}
      </label>
      <p className="hint" id={`${id}-hint`}>
        {'Read '}
        {partsOf(pages).map((part, index) => {
          const page = index % 2 === 0 ? pages[index / 2] : undefined
          return page ? (
            <a key={part} href={page.path} target="_blank" rel="noreferrer">
              {part}
            </a>
          ) : (
            part
          )
        })}
        {' in a new tab: what you typed here stays.'}
      </p>
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
