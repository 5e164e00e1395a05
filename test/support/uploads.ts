import sharp from 'sharp'
import type { Person, TestResponse } from './person.ts'

const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
  .png()
  .toBuffer()

/** Sends a small photo as the field `image`. */
export const upload = (person: Person, url: string, headers: Record<string, string>): Promise<TestResponse> =>
  sendFile(
    person,
    url,
    'image',
    new File([new Uint8Array(photo)], 'photo.png', { type: 'image/png' }),
    headers,
  )

/** Sends a file as a field of a form. */
export async function sendFile(
  person: Person,
  url: string,
  field: string,
  file: File,
  headers: Record<string, string>,
): Promise<TestResponse> {
  const form = new FormData()
  form.set(field, file)
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  const payload = Buffer.from(await encoded.arrayBuffer())
  return person.send({ method: 'POST', url, headers: { 'content-type': type, ...headers }, payload })
}
