import { fieldErrors } from '#contract'
import { Because } from '#operators/contract.ts'
import { SAVED_MEANWHILE, type Slug } from '#pages/contract.ts'
import { type FieldErrors, Problem } from '#problem'
import type { Ask } from '#ui/api-client.ts'

/** The form of the editor, as it was sent. */
export interface Sent {
  slug: Slug
  text: string
  base: number | null
  version: number | null
  agreed: boolean
  reason: string
}

/** What the form says about the page. */
export const sentIn = (form: FormData, slug: Slug): Sent => ({
  slug,
  text: String(form.get('text') ?? '').replaceAll('\r\n', '\n'),
  base: idField(form, 'base'),
  version: idField(form, 'version'),
  agreed: form.has('agreed_at_signup'),
  reason: String(form.get('reason') ?? ''),
})

const idField = (form: FormData, name: string): number | null => Number(form.get(name)) || null

/** What is typed and not saved. */
export const unsavedOf = ({ text: typed, base, agreed, reason }: Sent) => ({ typed, base, agreed, reason })

/** Whether the checkbox was changed since the form was shown. */
const isTickChanged = (form: FormData) => form.has('agreed_at_signup') !== form.has('agreed_before')

/** What goes into the log needs a reason: everything but drafts. @returns the error of a field */
export function validatePage(form: FormData): FieldErrors | undefined {
  const isLogged = ['publish', 'take-back', 'agreement'].includes(String(form.get('intent')))
  if (!isLogged && !(form.get('intent') === 'save' && isTickChanged(form))) return undefined
  return fieldErrors(Because, { reason: String(form.get('reason') ?? '') })
}

/** What a button makes of a page. */
export type Change = 'saved' | 'published' | 'taken-back'

/** Makes the call of the button, and saves a change of the checkbox beside it. */
export async function changeWithAgreement(ask: Ask, done: Change, sent: Sent, form: FormData): Promise<void> {
  await change(ask, done, sent)
  const { agreed: agreed_at_signup, reason } = sent
  if (isTickChanged(form))
    await ask('PUT /api/operate/pages/:slug/agreement', {
      params: { slug: sent.slug },
      body: { agreed_at_signup, reason },
    })
}

async function change(ask: Ask, done: Change, sent: Sent): Promise<unknown> {
  const params = { slug: sent.slug }
  if (done === 'saved') return save(ask, sent)
  const shown = await unchangedVersion(ask, sent)
  if (done === 'taken-back') {
    await ask('POST /api/operate/pages/:slug/take-back', { params, body: { reason: sent.reason } })
    return shown || sent.text.trim() === '' ? undefined : save(ask, sent)
  }
  if (shown && shown.newest !== sent.base) throw new Problem(409, SAVED_MEANWHILE)
  const version = shown?.version ?? (await save(ask, sent))
  return ask('POST /api/operate/pages/:slug/publish', { params, body: { version, reason: sent.reason } })
}

/** Saves the text of the form as a new version. @returns its id */
async function save(ask: Ask, sent: Sent): Promise<number> {
  const { slug, text, base } = sent
  const { id } = await ask('POST /api/operate/pages/:slug/versions', {
    params: { slug },
    body: { text, base },
  })
  // The next one is based on it, also if publishing is refused.
  sent.base = id
  return id
}

/** The version that the form has shown, and the newest one; undefined if the text of the form was changed. */
async function unchangedVersion(ask: Ask, { slug, version, text }: Sent) {
  if (version === null) return undefined
  const shown = await ask('GET /api/operate/pages/:slug', { params: { slug }, query: { version } })
  return shown.text === text.trim() ? { version, newest: shown.base } : undefined
}
