import { type RefObject, useEffect, useRef, useState } from 'react'

interface Watched {
  /** Whether the picture could not be shown. */
  broken: boolean
  /** To be set on its <img>. */
  watched: { ref: RefObject<HTMLImageElement | null>; onError: () => void }
}

/** Sees whether the picture at an address fails, also where it had failed before React took over. */
export function useImageError(url: string | undefined): Watched {
  const [failed, setFailed] = useState<string>()
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    // One that was not asked for yet, because it is far down the page, is neither complete nor has it an address.
    const { complete, currentSrc, naturalWidth } = image.current ?? {}
    if (complete && currentSrc && naturalWidth === 0) setFailed(url)
  }, [url])
  return {
    broken: url !== undefined && failed === url,
    watched: { ref: image, onError: () => setFailed(url) },
  }
}
