import { lost, parseResponseBody } from './api-client.ts'

/**
 * Sends a file as a form field. XMLHttpRequest, because fetch has no upload progress.
 * @param onProgress receives the progress, from 0 to 1
 */
export function sendFile(
  url: string,
  field: string,
  file: File,
  onProgress?: (part: number) => void,
): Promise<unknown> {
  const form = new FormData()
  form.set(field, file)
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
        resolve(
          parseResponseBody(request.status, request.responseText, name => request.getResponseHeader(name)),
        )
      } catch (error) {
        reject(error)
      }
    }
    request.send(form)
  })
}
