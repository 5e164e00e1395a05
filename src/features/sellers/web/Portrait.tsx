import { Photo, type Picture } from '#images/web/Photo.tsx'

interface PortraitProps {
  picture: Picture | null
  name: string
  /** Whether it is in the first window of its page. */
  eager?: boolean
}

/** A seller's picture, or the first letter of their name. The name is beside it. */
export const Portrait = ({ picture, name, eager = false }: PortraitProps) => (
  <div className="portrait" aria-hidden="true">
    {picture ? (
      <Photo image={picture} name={name} sizes="8rem" silent eager={eager} />
    ) : (
      <span className="photo placeholder">{[...name][0]?.toUpperCase()}</span>
    )}
  </div>
)
