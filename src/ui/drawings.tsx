import drawings from './drawings.svg'
import { Icon } from './icons.tsx'

/** Drawings of drawings.svg, a file of its own to keep scripts small. */
export type DrawingName = 'bag' | 'parcel' | 'stall' | 'stitches' | 'tag' | 'wool'

/** A drawing of 96 px in the style of the icons. */
export const Drawing = ({ name }: { name: DrawingName }) => (
  <Icon size={96}>
    <use href={`${drawings}#${name}`} />
  </Icon>
)
