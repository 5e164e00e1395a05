import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { Image } from '#images/contract.ts'
import { Photo } from '#images/web/Photo.tsx'
import { useModal } from '#ui/Dialog.tsx'
import { Icon } from '#ui/icons.tsx'
import { useHydrated } from '#ui/use-hydrated.ts'
import { Lightbox } from './Lightbox.tsx'
import { photoAt } from './photo-query.ts'
import './gallery.css'

/**
 * Photos of a listing. On wide screens one is large, with thumbnails below; on phones they are a strip to swipe.
 * Each opens larger.
 */
export function Gallery({ images, name }: { images: Image[]; name: string }) {
  const { search } = useLocation()
  const chosen = Number(new URLSearchParams(search).get('photo') ?? 1)
  const image = images[chosen - 1] ?? images[0]
  if (images.length < 2)
    return (
      <div className="gallery">
        {image?.width ? (
          <Enlarging image={image} images={images} name={name} />
        ) : (
          <Photo image={image} name={name} sizes="36rem" />
        )}
        <Documents images={images} />
      </div>
    )
  return (
    <div className="gallery">
      <Strip images={images} image={image} name={name} />
      <ul className="thumbnails">
        {images.map((each, index) => (
          <li key={each.id}>
            <Link
              to={photoAt(search, index + 1)}
              replace
              preventScrollReset
              aria-label={`Photo ${index + 1} of ${images.length}${saying(each)}`}
              aria-current={each === image ? 'true' : undefined}
            >
              <Photo image={each} name={name} sizes="6rem" silent />
            </Link>
          </li>
        ))}
      </ul>
      <Documents images={images} />
    </div>
  )
}

interface StripProps {
  images: Image[]
  /** The chosen photo, from the address. */
  image: Image | undefined
  name: string
}

/** A strip of photos, each as wide as the strip. On wide screens only the chosen one is shown. */
function Strip({ images, image, name }: StripProps) {
  const strip = useRef<HTMLUListElement>(null)
  const scripted = useHydrated()
  const at = Math.max(0, images.indexOf(image as Image))
  const [position, setPosition] = useState(at)
  useEffect(() => {
    const element = strip.current
    if (element) element.scrollLeft = at * element.clientWidth
    setPosition(at)
  }, [at])
  const swiped = () => {
    const { scrollLeft = 0, clientWidth = 0 } = strip.current ?? {}
    if (clientWidth > 0) setPosition(Math.round(Math.abs(scrollLeft) / clientWidth))
  }
  return (
    <div className="slides">
      <ul ref={strip} onScroll={swiped}>
        {images.map((each, index) => (
          <li key={each.id} className={each === image ? 'wanted' : undefined}>
            {each.width ? (
              <Enlarging
                image={each}
                images={images}
                name={name}
                other={each === image ? undefined : index + 1}
              />
            ) : (
              <Photo image={each} name={name} sizes="36rem" />
            )}
          </li>
        ))}
      </ul>
      <p className="position" aria-hidden="true">
        {scripted ? `${position + 1} / ${images.length}` : `${images.length} photos`}
      </p>
    </div>
  )
}

interface EnlargingProps {
  image: Image
  images: Image[]
  name: string
  /** Its number from 1, unless it is the photo shown first. */
  other?: number | undefined
}

/** A photo that opens the lightbox; without scripts, a page. */
function Enlarging({ image, images, name, other }: EnlargingProps) {
  const modal = useModal()
  const { search } = useLocation()
  const enlarge = (event: MouseEvent) => {
    event.preventDefault()
    const pictures = images.filter(({ width }) => width)
    const content = <Lightbox images={pictures} name={name} first={pictures.indexOf(image)} />
    modal.open({ title: name, content })
  }
  return (
    <a
      className="enlarge"
      href={photoAt(search, images.indexOf(image) + 1, true)}
      onClick={enlarge}
      aria-label={`Enlarge ${other === undefined ? 'the photo' : `photo ${other}`} of ${name}${saying(image)}`}
    >
      <Photo
        image={image}
        name={name}
        sizes="(min-width: 76rem) 42rem, (min-width: 50rem) 55vw, 100vw"
        eager={other === undefined}
        first={other === undefined}
        silent={other !== undefined}
        whole
      />
    </a>
  )
}

/** The alt text, after the words of a label. */
const saying = ({ alt }: Image): string => (alt ? `: ${alt}` : '')

/** Links to the documents whose first pages are among the photos. */
function Documents({ images }: { images: Image[] }) {
  const documents = images.flatMap(({ document }) => document ?? [])
  if (documents.length === 0) return null
  return (
    <ul className="documents">
      {documents.map((document, index) => (
        <li key={document}>
          <a href={document} download>
            <Icon d="M6.5 3h7L18 7.5V21H6.5zM13 3.5V8h4.5" />
            {documents.length === 1 ? ' The document' : ` Document ${index + 1}`} of this piece (pdf)
          </a>
        </li>
      ))}
    </ul>
  )
}
