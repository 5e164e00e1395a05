import { type FileOptions, lost, parseResponseBody } from './api-client.ts'

/**
 * Sends a file as a form field. XMLHttpRequest, because fetch has no upload progress.
 * @throws Problem for a refusal, 0 for a lost connection
 */
export function sendFile(
  url: string,
  field: string,
  file: File,
  { onProgress, headers = {} }: FileOptions = {},
): Promise<unknown> {
  const form = new FormData()
  form.set(field, file)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    for (const [name, value] of Object.entries({ accept: 'application/json', ...headers }))
      request.setRequestHeader(name, value)
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
