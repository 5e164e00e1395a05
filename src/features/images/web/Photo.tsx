import { useImageError } from '#ui/use-image-error.ts'
import type { Image } from '../contract.ts'

/** An image to show, stored or just chosen. */
export type Picture = Omit<Image, 'id' | 'document'>

interface PhotoProps {
  image: Picture | undefined
  /** Name of the listing: the alt text of a photo without one, and shown instead of a broken picture. */
  name: string
  /** Width of the box, as in <img sizes>, in rem, vw, vh or px. */
  sizes: string
  /** Shows the whole picture in its box. By default it fills the box and is cropped. */
  whole?: boolean
  eager?: boolean
  /** High fetch priority, for the main picture of a page. */
  first?: boolean
  /** Without alternative text, if the name is beside it. */
  silent?: boolean
}

/** A listing's picture in the width that the screen needs, or its name if there is none. */
export function Photo({
  image,
  name,
  sizes,
  whole = false,
  eager = false,
  first = false,
  silent = false,
}: PhotoProps) {
  const { broken, watched } = useImageError(image?.url)
  if (!image?.width || !image.height || broken) return <span className="photo placeholder">{name}</span>
  return (
    <span className={['photo', whole && 'whole', !eager && 'later'].filter(Boolean).join(' ')}>
      {image.colour && (
        // An attribute of an svg, because the Content-Security-Policy allows no inline styles.
        <svg aria-hidden="true" width="100%" height="100%">
          <rect width="100%" height="100%" fill={image.colour} />
        </svg>
      )}
      <img
        {...watched}
        src={image.url}
        srcSet={image.srcset}
        sizes={sizesOf(sizes, image.width / image.height, whole)}
        width={image.width}
        height={image.height}
        alt={silent ? '' : image.alt || name}
        loading={eager ? undefined : 'lazy'}
        fetchPriority={first ? 'high' : eager ? undefined : 'low'}
        decoding="async"
      />
    </span>
  )
}

/**
 * Width of a picture in a square box of these sizes. One that fills the box is as high as the box and cropped in
 * width; one shown whole is narrower if it is higher than wide.
 * @param shape width by height
 */
function sizesOf(sizes: string, shape: number, whole: boolean): string {
  const times = whole ? Math.min(1, shape) : Math.max(1, shape)
  if (times === 1) return sizes
  // Lengths in conditions, such as (min-width: 60rem), stay as they are.
  return sizes.replace(/\([a-z-]+:[^)]*\)|([\d.]+)(rem|vw|vh|px)/g, (found, length?: string, unit = '') =>
    length === undefined ? found : `${Number((Number(length) * times).toFixed(2))}${unit}`,
  )
}
