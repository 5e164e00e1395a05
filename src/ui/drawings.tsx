import drawings from './drawings.svg'
import { Icon } from './icons.tsx'

/** The drawings of drawings.svg: no page loads their lines with its scripts. */
export type DrawingName = 'bag' | 'parcel' | 'stall' | 'stitches' | 'tag' | 'wool'

/** A drawing of 96 px in the hand of the icons, in the colour of the text around it and the accent. */
export const Drawing = ({ name }: { name: DrawingName }) => (
  <Icon size={96}>
    <use href={`${drawings}#${name}`} />
  </Icon>
)
