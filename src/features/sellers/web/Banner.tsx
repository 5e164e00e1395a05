import type { Image } from '#images/contract.ts'
import { Photo } from '#images/web/Photo.tsx'
import './shop.css'

/** Width by height of the box, on phones and on wide screens, as shop.css has them. */
const ON_PHONES = 2.5
const ON_SCREENS = 4

/** The wide photo above the page of a maker. Without an alt text it is decoration. */
export const Banner = ({ image }: { image: Image }) => (
  <div className="maker-banner">
    <Photo image={image} name={image.alt} sizes={sizesOf(image)} silent={image.alt === ''} eager first />
  </div>
)

/** `Photo` takes the sizes of a square box: in a wide one a wide picture is cropped less. */
function sizesOf({ width, height }: Image): string {
  const shape = (width ?? 1) / (height ?? 1)
  const part = (box: number) => Number((Math.max(1, shape / box) / Math.max(1, shape)).toFixed(3))
  return `(min-width: 75rem) ${Math.round(72 * part(ON_SCREENS))}rem, (min-width: 40rem) ${Math.round(100 * part(ON_SCREENS))}vw, ${Math.round(100 * part(ON_PHONES))}vw`
}
