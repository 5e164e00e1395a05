import type { Image } from '#images/contract.ts'
import { useBroken } from '#web/broken.ts'

/** What it takes to show a picture, stored or just chosen. */
export type Picture = Omit<Image, 'id' | 'document'>

interface PhotoProps {
  image: Picture | undefined
  /** Name of the piece: the picture's words, and what stands in its place without one. */
  name: string
  /** How wide the picture is shown, as in <img sizes>. */
  sizes: string
  eager?: boolean
  /** Before all other pictures: the one that a page is looked at for. Yes for one that is eager, unless told. */
  first?: boolean
  /** The words stand elsewhere already. */
  silent?: boolean
}

/** The picture of a piece in the width the screen needs, or its name where there is none that can be shown. */
export function Photo({ image, name, sizes, eager = false, first = eager, silent = false }: PhotoProps) {
  const { broken, watched } = useBroken(image?.url)
  if (!image?.width || !image.height || broken) return <span className="photo placeholder">{name}</span>
  return (
    <span className={eager ? 'photo' : 'photo later'}>
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
        sizes={sizes}
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
