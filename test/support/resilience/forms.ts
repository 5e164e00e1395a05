import type { Person, TestResponse } from '../person.ts'

/** A form of a page, as a browser without scripts would send it. */
export interface PageForm {
  action: string
  fields: Record<string, string>
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}
const plain = (text = '') => text.replace(/&(?:amp|lt|gt|quot|#x27);/g, entity => entities[entity] ?? entity)
const attribute = (tag: string, name: string) => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : plain(value)
}

/** The form of a page that contains a text. @throws Error if there is none */
export function formWith(text: string, html: string, path: string): PageForm {
  const form = [...html.matchAll(/<form\b[^>]*>.*?<\/form>/gs)]
    .map(([form]) => form)
    .find(form => form.includes(text))
  if (!form) throw new Error(`no form with "${text}" at ${path}`)
  const fields: Record<string, string> = {}
  for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
    const name = attribute(tag, 'name')
    const isSent =
      attribute(tag, 'type') !== 'file' && (attribute(tag, 'type') !== 'checkbox' || /\schecked\b/.test(tag))
    if (name && isSent) fields[name] = attribute(tag, 'value') ?? ''
  }
  for (const [tag, text] of form.matchAll(/<textarea\b[^>]*>([^<]*)/g))
    fields[attribute(tag, 'name') ?? ''] = plain(text)
  for (const [tag] of form.matchAll(/<select\b.*?<\/select>/gs)) {
    const [chosen = ''] = /<option[^>]*\sselected[^>]*>[^<]*/.exec(tag) ?? []
    fields[attribute(tag, 'name') ?? ''] = attribute(chosen, 'value') ?? plain(chosen.replace(/^<[^>]*>/, ''))
  }
  return { action: attribute(/<form\b[^>]*>/.exec(form)?.[0] ?? '', 'action') ?? path, fields }
}

/** Opens a page. @returns its form that contains a text */
export async function openForm(person: Person, path: string, text: string): Promise<PageForm> {
  const { body } = await person.get(path, { accept: 'text/html' })
  return formWith(text, String(body), path)
}

/** Submits a form as a browser does. */
export function send(person: Person, { action, fields }: PageForm): Promise<TestResponse> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
  return person.send({
    method: 'POST',
    url: action,
    headers,
    payload: new URLSearchParams(fields).toString(),
  })
}
