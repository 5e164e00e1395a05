import type { ReactNode } from 'react'
import { Drawing, type DrawingName } from './drawings.tsx'

interface Nothing {
  drawing: DrawingName
  /** What is the case, in one sentence. */
  text: string
  /** What a person can do about it: a link or a button. */
  children?: ReactNode
}

/** A place where nothing is yet, with a way on. */
export const Empty = ({ drawing, text, children }: Nothing) => (
  <div className="empty">
    <Drawing name={drawing} />
    <p>{text}</p>
    {children}
  </div>
)
