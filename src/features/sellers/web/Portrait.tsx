import { Photo, type Picture } from '#images/web/Photo.tsx'

interface PortraitProps {
  picture: Picture | null
  username: string
}

/** A maker's picture, or the first letter of their name in its place. Their name stands beside it. */
export const Portrait = ({ picture, username }: PortraitProps) => (
  <div className="portrait" aria-hidden="true">
    {picture ? (
      <Photo image={picture} name={username} sizes="8rem" silent eager />
    ) : (
      <span className="photo placeholder">{[...username][0]?.toUpperCase()}</span>
    )}
  </div>
)
