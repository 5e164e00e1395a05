import { useImageError } from '#ui/use-image-error.ts'

/** A small picture of a piece, or its place. The name stands beside it. */
export function LinePicture({ url }: { url: string | undefined }) {
  const { broken, watched } = useImageError(url)
  return url && !broken ? (
    <img {...watched} className="photo" src={url} alt="" width="64" height="64" loading="lazy" />
  ) : (
    <div className="photo placeholder" />
  )
}
