import { answered, lost } from './api-client.ts'

/** Sends a file as the field `image`. XMLHttpRequest, because fetch tells nothing while it sends. */
export function sendFile(url: string, file: File, onProgress?: (part: number) => void): Promise<unknown> {
  const form = new FormData()
  form.set('image', file)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.setRequestHeader('accept', 'application/json')
    request.upload.onprogress = event => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total)
    }
    request.onerror = () => reject(lost(new Error('upload failed')))
    request.onload = () => {
      try {
        resolve(answered(request.status, request.responseText, name => request.getResponseHeader(name)))
      } catch (error) {
        reject(error)
      }
    }
    request.send(form)
  })
}
