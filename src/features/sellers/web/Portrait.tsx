import { Photo, type Picture } from '#images/web/Photo.tsx'

interface PortraitProps {
  picture: Picture | null
  username: string
  /** Whether it is in the first window of its page. */
  eager?: boolean
}

/** A seller's picture, or the first letter of their name. The name is beside it. */
export const Portrait = ({ picture, username, eager = false }: PortraitProps) => (
  <div className="portrait" aria-hidden="true">
    {picture ? (
      <Photo image={picture} name={username} sizes="8rem" silent eager={eager} />
    ) : (
      <span className="photo placeholder">{[...username][0]?.toUpperCase()}</span>
    )}
  </div>
)
