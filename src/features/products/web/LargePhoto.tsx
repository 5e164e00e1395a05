import { Link, useLocation } from 'react-router'
import type { Image } from '#images/contract.ts'
import { photoAt } from './photo-query.ts'
import './largePhoto.css'

interface LargePhotoProps {
  images: Image[]
  /** Number of the photo, from 1, as in the address. */
  at: number
  name: string
}

/** A photo as large as the window, as a page for browsers without scripts. */
export function LargePhoto({ images, at, name }: LargePhotoProps) {
  const { search } = useLocation()
  const image = images[at - 1]
  if (!image?.width || !image.height) return null
  // A document that could not be drawn has no width.
  const pictures = images.flatMap(({ width }, index) => (width ? [index + 1] : []))
  const next = pictures.find(photo => photo > at) ?? pictures[0] ?? at
  return (
    <section className="large-photo">
      <h1 dir="auto">{name}</h1>
      <p className="actions">
        <Link className="button quiet" to={photoAt(search, at)}>
          Back to the piece
        </Link>
        {pictures.length > 1 && (
          <Link to={photoAt(search, next, true)}>{`Photo ${at} of ${images.length}: show the next`}</Link>
        )}
      </p>
      <img
        src={image.url}
        srcSet={image.srcset}
        sizes="95vw"
        width={image.width}
        height={image.height}
        alt={image.alt || name}
      />
    </section>
  )
}
