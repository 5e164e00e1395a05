import type { MouseEvent } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Image } from '#images/contract.ts'
import { useModal } from '#web/Dialog.tsx'
import { Icon } from '#web/icons.tsx'
import { Enlarged } from './Enlarged.tsx'
import { Photo } from './Photo.tsx'

/** All photos of a piece: one large, the others to choose from, the large one larger still on demand. */
export function Gallery({ images, name }: { images: Image[]; name: string }) {
  const chosen = Number(useSearchParams()[0].get('photo') ?? 1)
  const image = images[chosen - 1] ?? images[0]
  return (
    <div className="gallery">
      {image?.width ? (
        <Enlarging image={image} images={images} name={name} />
      ) : (
        <Photo image={image} name={name} sizes="36rem" />
      )}
      {images.length > 1 && (
        <ul className="thumbnails">
          {images.map((each, index) => (
            <li key={each.id}>
              <Link
                to={`?photo=${index + 1}`}
                replace
                preventScrollReset
                aria-label={`Photo ${index + 1} of ${images.length}`}
                aria-current={each === image ? 'true' : undefined}
              >
                <Photo image={each} name={name} sizes="6rem" silent />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {image?.document && (
        <a className="document" href={image.document} download>
          <DocumentIcon /> The document of this piece (pdf)
        </a>
      )}
    </div>
  )
}

/** The large photo; a press shows it as large as the window allows. Without scripts it leads to the picture itself. */
function Enlarging({ image, images, name }: { image: Image; images: Image[]; name: string }) {
  const modal = useModal()
  const enlarge = (event: MouseEvent) => {
    event.preventDefault()
    const pictures = images.filter(({ width }) => width)
    const content = <Enlarged images={pictures} name={name} first={pictures.indexOf(image)} />
    modal.open({ title: name, content })
  }
  return (
    <a className="enlarge" href={image.url} onClick={enlarge} aria-label={`Enlarge the photo of ${name}`}>
      <Photo
        image={image}
        name={name}
        sizes="(min-width: 76rem) 42rem, (min-width: 50rem) 55vw, 100vw"
        eager
      />
    </a>
  )
}

const DocumentIcon = () => <Icon d="M6.5 3h7L18 7.5V21H6.5zM13 3.5V8h4.5" />
