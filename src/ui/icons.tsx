/** Icons: 24 px, round 1.75 px strokes, in the text colour. */

import type { ReactNode } from 'react'
import type { Brand } from '#brand'

interface Hand {
  /** Path data. */
  d?: string
  /** Width of the viewBox. */
  grid?: number
  /** Pixels at the default text size; scales with it. */
  size?: number
  /** Stroke width, in viewBox units. */
  line?: number
  children?: ReactNode
}

/** Base of all icons: round strokes, no fill. */
export const Icon = ({ d, grid = 24, size = 24, line = 1.75, children = <path d={d} /> }: Hand) => (
  <svg
    className="icon"
    viewBox={`0 0 ${grid} ${grid}`}
    width={`${size / 16}rem`}
    height={`${size / 16}rem`}
    fill="none"
    stroke="currentColor"
    strokeWidth={line}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {children}
  </svg>
)

/** The mark of the shop, or its picture. */
export const Logo = ({ mark, logo }: Pick<Brand, 'mark' | 'logo'>) =>
  logo ? (
    <img className="logo-picture" alt="" {...sizeOf(logo)} src={logo.url} />
  ) : (
    <Icon size={32} line={3} d={mark} />
  )

/** As high as the mark, and at most five times as wide, pixels. */
const sizeOf = ({ width, height }: { width: number; height: number }) => ({
  width: Math.min(160, Math.round((32 * width) / height)),
  height: 32,
})

export const BagIcon = () => <Icon d="M5 8.5h14L18 20H6zM8.5 11V7a3.5 3.5 0 0 1 7 0v4" />

export const BellIcon = () => <Icon d="M6 17V11a6 6 0 0 1 12 0v6M4 17h16M10 20.5h4" />

export const PersonIcon = () => (
  <Icon d="M15.75 8a3.75 3.75 0 1 1-7.5 0 3.75 3.75 0 0 1 7.5 0zM4.5 20.5c.8-4 3.7-6 7.5-6s6.7 2 7.5 6" />
)

/** One of five. */
export const StarIcon = ({ filled }: { filled: boolean | 'half' }) => (
  <svg
    className={filled === true ? 'star' : 'star hollow'}
    viewBox="0 0 24 24"
    width="1.125rem"
    height="1.125rem"
    aria-hidden="true"
  >
    <path d="M12 2.5l2.9 6.1 6.6.8-4.9 4.6 1.3 6.6L12 17.3l-5.9 3.3 1.3-6.6L2.5 9.4l6.6-.8z" />
    {filled === 'half' && <path className="half" d="M12 2.5v14.8l-5.9 3.3 1.3-6.6L2.5 9.4l6.6-.8z" />}
  </svg>
)
