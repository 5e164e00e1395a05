import type { ReactNode } from 'react'
import { Problems } from './fields.tsx'
import { useFocusOnResult } from './use-focus-on-result.ts'

interface FormResultProps {
  /** A new object for each result, so that each is noticed. */
  result: { done?: string | undefined } | undefined
  problems: string[] | undefined
  /** What else a success says. */
  children?: ReactNode
}

/** The result of a form: its problems, or the success message, which gets the focus. */
export function FormResult({ result, problems, children }: FormResultProps) {
  const status = useFocusOnResult<HTMLDivElement>((result?.done !== undefined || children) && result)
  return (
    <>
      <Problems messages={problems} />
      <div role="status" tabIndex={-1} ref={status}>
        {result?.done && <p className="success">{result.done}</p>}
        {children}
      </div>
    </>
  )
}
