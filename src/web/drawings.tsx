/**
 * Drawings for where nothing is: 96 px, round 2.5 px strokes, and one thread in the accent that came loose.
 * What only some pages show stands in their own folders, so that no other page loads it.
 */
import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'

export const Drawing = ({ children }: { children: ReactNode }) => (
  <Icon size={96} grid={96} line={2.5}>
    {children}
  </Icon>
)

/** A ball of wool that rolled away. */
export const LostThread = () => (
  <Drawing>
    <circle cx="38" cy="42" r="27" />
    <path d="M17 26c15 1 32 14 37 37M30 16c14 4 28 17 34 33M13 40c11 0 23 10 26 28" />
    <path className="thread" d="M38 69h18c11 0 10-13 20-13s11 14 2 14-5-12 4-12" />
  </Drawing>
)
