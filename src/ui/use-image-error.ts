import { type RefObject, useEffect, useRef, useState } from 'react'

interface Watched {
  /** Whether the picture failed to load. */
  broken: boolean
  /** Props of its <img>. */
  watched: { ref: RefObject<HTMLImageElement | null>; onError: () => void }
}

/** Detects whether a picture fails to load, also before hydration. */
export function useImageError(url: string | undefined): Watched {
  const [failed, setFailed] = useState<string>()
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    // A lazy picture that has not started is neither complete nor has a currentSrc.
    const { complete, currentSrc, naturalWidth } = image.current ?? {}
    if (complete && currentSrc && naturalWidth === 0) setFailed(url)
  }, [url])
  return {
    broken: url !== undefined && failed === url,
    watched: { ref: image, onError: () => setFailed(url) },
  }
}
