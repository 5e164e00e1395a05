import { Photo, type Picture } from '#images/web/Photo.tsx'

interface PortraitProps {
  picture: Picture | null
  username: string
}

/** A seller's picture, or the first letter of their name. The name is beside it. */
export const Portrait = ({ picture, username }: PortraitProps) => (
  <div className="portrait" aria-hidden="true">
    {picture ? (
      <Photo image={picture} name={username} sizes="8rem" silent eager />
    ) : (
      <span className="photo placeholder">{[...username][0]?.toUpperCase()}</span>
    )}
  </div>
)
