import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { keepDraft, personOrDraft } from '#accounts/web/person.ts'
import { fieldErrors } from '#contract'
import { brokenFile } from '#images/contract.ts'
import { photoOf } from '#images/web/upload.ts'
import type { FieldErrors } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted } from '#ui/flash.ts'
import { textFieldsOf } from '#ui/form-draft.ts'
import { type ShopPage, ShopPageDraft } from '../shop-page-contract.ts'
import {
  draftOf,
  ownShop,
  refused,
  removePicture,
  type SettingsResult,
  savePicture,
  withImage,
} from './pictureForm.ts'

/** What the user's page shows; null if the session ended while a form was refused. A suspended seller has no page: they read why. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await personOrDraft(args)
  if (!user) return null
  const params = { username: user.username }
  const { answer, problem } = await attempt(apiOf(args)('GET /api/shops/:username/page', { params }))
  if (problem?.status === 404) throw redirect('/settings/notices')
  if (problem) throw problem
  return { ...answer, username: user.username }
}

/** Messages of forms sent without scripts. */
export const DONE = {
  saved: { done: 'Saved' },
  removed: { done: 'Photo removed' },
} satisfies Record<string, SettingsResult>

/** Saves the text and a chosen photo, or removes the photo. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepDraft(args)
  const removing = form.get('intent') === 'remove'
  const fields = removing ? undefined : brokenPolicies(form)
  if (fields) return data<SettingsResult>({ fields, ...draftOf(form) }, 400)
  const { problem } = await attempt(removing ? removePicture(args, 'banner') : save(args, form))
  if (problem) return data(refused(form, problem), problem.status || 503)
  if (!removing) return accepted(args.request, { ...DONE.saved }, 'saved')
  const result = { ...DONE.removed, draft: textFieldsOf(form) } satisfies SettingsResult
  // Unsaved text can only return with this response.
  const unsaved = import.meta.env.SSR && !(await isSaved(args, form))
  return unsaved ? result : accepted(args.request, result, 'removed')
}

/** The photo first: if it is refused, nothing is saved, and the form can be sent again. */
async function save(args: ActionFunctionArgs, form: FormData): Promise<void> {
  await savePicture(args, form, 'banner')
  const params = await ownShop(args)
  await apiOf(args)('PUT /api/shops/:username/page', { params, body: pageOf(form) })
}

async function isSaved(args: ActionFunctionArgs, form: FormData): Promise<boolean> {
  const { banner_alt: _, ...typed } = pageOf(form)
  const page = await apiOf(args)('GET /api/shops/:username/page', { params: await ownShop(args) })
  return TEXTS.every(name => page[name] === typed[name].trim())
}

/** The texts of a page, by the names of their fields. */
const TEXTS = [
  'contact_email',
  'contact_phone',
  'returns',
  'custom_orders',
  'care',
] as const satisfies (keyof ShopPage)[]

/** A form as the API takes it. Browsers send line ends as two characters. */
function pageOf(form: FormData): ShopPageDraft {
  const text = (name: string) => String(form.get(name) ?? '').replaceAll('\r\n', '\n')
  return {
    contact_email: text('contact_email'),
    contact_phone: text('contact_phone'),
    returns: text('returns'),
    custom_orders: text('custom_orders'),
    care: text('care'),
    banner_alt: text('banner_alt'),
  }
}

/** First error of each field. */
export function brokenPolicies(form: FormData): FieldErrors | undefined {
  const file = photoOf(form)
  return withImage(fieldErrors(ShopPageDraft, pageOf(form)), file ? brokenFile(file, 'pictures') : undefined)
}

export const handle = { title: () => 'Photo and policies' }
