import { useImageError } from '#ui/use-image-error.ts'
import type { Image } from '../contract.ts'

/** What it takes to show a picture, stored or just chosen. */
export type Picture = Omit<Image, 'id' | 'document'>

interface PhotoProps {
  image: Picture | undefined
  /** Name of the piece: the picture's words, and what stands in its place without one. */
  name: string
  /** How wide the box of the picture is, as in <img sizes>, in rem, vw, vh or px. */
  sizes: string
  /** All of it is shown, in a box that may be wider or taller. Unless told the picture fills the box, and is cropped. */
  whole?: boolean
  eager?: boolean
  /** Before all other pictures: the one that a page is looked at for. Yes for one that is eager, unless told. */
  first?: boolean
  /** The words stand elsewhere already. */
  silent?: boolean
}

/** The picture of a piece in the width the screen needs, or its name where there is none that can be shown. */
export function Photo({
  image,
  name,
  sizes,
  whole = false,
  eager = false,
  first = eager,
  silent = false,
}: PhotoProps) {
  const { broken, watched } = useImageError(image?.url)
  if (!image?.width || !image.height || broken) return <span className="photo placeholder">{name}</span>
  return (
    <span className={['photo', whole && 'whole', !eager && 'later'].filter(Boolean).join(' ')}>
      {image.colour && (
        // An attribute of a drawing, because the Content-Security-Policy allows no styles in the page.
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
        alt={silent ? '' : name}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={first ? 'high' : eager ? 'auto' : 'low'}
        decoding="async"
      />
    </span>
  )
}

/**
 * How wide a picture is drawn in a square box of these sizes. One that fills the box is as high as the box: the wider its
 * shape, the more of its width is cropped. One that is shown whole is narrower, where it is higher than wide.
 * @param shape width by height
 */
function sizesOf(sizes: string, shape: number, whole: boolean): string {
  const times = whole ? Math.min(1, shape) : Math.max(1, shape)
  if (times === 1) return sizes
  // The lengths of conditions, such as (min-width: 60rem), are those of the window.
  return sizes.replace(/\([a-z-]+:[^)]*\)|([\d.]+)(rem|vw|vh|px)/g, (found, length?: string, unit = '') =>
    length === undefined ? found : `${Number((Number(length) * times).toFixed(2))}${unit}`,
  )
}
