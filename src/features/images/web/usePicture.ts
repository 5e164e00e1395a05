import { useEffect, useState } from 'react'
import { validateFile } from '../contract.ts'
import type { Picture } from './Photo.tsx'

/** A chosen file as a picture. Undefined until it is read, for a pdf, and for other files. */
export function usePicture(file: File | undefined): Picture | undefined {
  const [read, setRead] = useState<{ file: File; picture: Picture }>()
  useEffect(() => {
    if (!file || validateFile(file)) return
    const url = URL.createObjectURL(file)
    let isCurrent = true
    const image = new Image()
    image.src = url
    const decoded = image.decode().then(
      () => {
        const { naturalWidth: width, naturalHeight: height } = image
        if (isCurrent) setRead({ file, picture: { url, srcset: '', width, height, colour: null, alt: '' } })
      },
      () => {},
    )
    return () => {
      isCurrent = false
      // Not while it is being read: the browser would report an error.
      decoded.then(() => URL.revokeObjectURL(url))
    }
  }, [file])
  return read?.file === file ? read?.picture : undefined
}
