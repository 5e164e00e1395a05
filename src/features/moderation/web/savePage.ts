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
  if (done === 'taken-back') {
    await ask('POST /api/operate/pages/:slug/take-back', { params, body: { reason: sent.reason } })
    return sent.text.trim() === '' ? undefined : saved(ask, sent)
  }
  const version = await saved(ask, sent)
  return ask('POST /api/operate/pages/:slug/publish', { params, body: { version, reason: sent.reason } })
}

const save = (ask: Ask, { slug, text, base }: Sent) =>
  ask('POST /api/operate/pages/:slug/versions', { params: { slug }, body: { text, base } })

/**
 * The version with the text of the form: the one that was shown, or a new one if it was changed.
 * @throws Problem 409 if there is a newer version than the form knows
 */
async function saved(ask: Ask, sent: Sent): Promise<number> {
  const { slug, version } = sent
  if (version !== null) {
    const shown = await ask('GET /api/operate/pages/:slug', { params: { slug }, query: { version } })
    if (shown.text === sent.text.trim()) {
      if (shown.base !== sent.base) throw new Problem(409, SAVED_MEANWHILE)
      return version
    }
  }
  const { id } = await save(ask, sent)
  // The next one is based on it, also if publishing is refused.
  sent.base = id
  return id
}
