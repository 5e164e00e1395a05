import { expect } from 'vitest'
import type { Person, TestResponse } from './person.ts'
import { pngOf } from './sample-pictures.ts'

const picture = new Uint8Array(pngOf(80, 60))

/** Sends a form as a browser without scripts does. */
export const urlencoded = (
  person: Person,
  url: string,
  fields: Record<string, string>,
): Promise<TestResponse> =>
  person.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    payload: new URLSearchParams(fields).toString(),
  })

/** The same with a picture: `null` for a field without a file. */
export async function multipart(
  person: Person,
  url: string,
  fields: Record<string, string>,
  image: Uint8Array<ArrayBuffer> | null = picture,
): Promise<TestResponse> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  if (image) form.set('image', new File([image], 'mug.png', { type: 'image/png' }))
  const encoded = new Response(form)
  return person.send({
    method: 'POST',
    url,
    headers: { 'content-type': encoded.headers.get('content-type') ?? '', accept: 'text/html' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
}

/** Text, field values and filled hearts of a page. */
const textOf = ({ body }: TestResponse): string =>
  String(body)
    .replace(/<head>.*<\/head>|<script.*?<\/script>|<!--.*?-->/gs, '')
    .replace(/<[^>]*aria-pressed="true"[^>]*>/g, ' (pressed) ')
    .replace(/<[^>]*>/g, '\n')
    .replaceAll('&amp;', '&')
    .replace(/\n\s*/g, '\n')

/** Expects a text on a page. */
export const expectText = (page: TestResponse, text: string): void =>
  expect(textOf(page).includes(text), `${text} in ${textOf(page)}`).toBe(true)
export const expectNoText = (page: TestResponse, text: string): void =>
  expect(textOf(page).includes(text), text).toBe(false)
