import type { ReactNode } from 'react'
import { Drawing, type DrawingName } from './drawings.tsx'

interface EmptyProps {
  drawing: DrawingName
  /** One sentence. */
  text: string
  /** What to do about it: a link or button. */
  children?: ReactNode
}

/** Placeholder for an empty list, with a next step. */
export const Empty = ({ drawing, text, children }: EmptyProps) => (
  <div className="empty">
    <Drawing name={drawing} />
    <p>{text}</p>
    {children}
  </div>
)
