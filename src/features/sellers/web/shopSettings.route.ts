import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { keepDraft, personOrDraft } from '#accounts/web/person.ts'
import { fieldErrors } from '#contract'
import { brokenFile } from '#images/contract.ts'
import { photoOf } from '#images/web/upload.ts'
import { type FieldErrors, Problem } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted } from '#ui/flash.ts'
import { textFieldsOf } from '#ui/form-draft.ts'
import { ShopDraft } from '../contract.ts'
import {
  draftOf,
  ownShop,
  refused,
  removePicture,
  type SettingsResult,
  savePicture,
  withImage,
} from './pictureForm.ts'

/** The user's profile; null if the session ended while a form was refused. A suspended seller has no page: they read why. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await personOrDraft(args)
  if (!user) return null
  const params = { username: user.username }
  const { answer, problem } = await attempt(apiOf(args)('GET /api/shops/:username', { params }))
  if (problem?.status === 404) throw redirect('/settings/notices')
  if (problem) throw problem
  return answer
}

/** Messages of forms sent without scripts. */
export const DONE = {
  saved: { done: 'Saved' },
  removed: { done: 'Picture removed' },
} satisfies Record<string, SettingsResult>

/** Saves the text and a chosen picture, or removes the picture. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepDraft(args)
  const removing = form.get('intent') === 'remove'
  const fields = removing ? undefined : brokenShop(form)
  if (fields) return data<SettingsResult>({ fields, ...draftOf(form) }, 400)
  const { problem } = await attempt(removing ? removePicture(args, 'picture') : save(args, form))
  if (problem) return data(refused(form, problem), problem.status || 503)
  if (!removing) return accepted(args.request, { ...DONE.saved }, 'saved')
  const result = { ...DONE.removed, draft: textFieldsOf(form) } satisfies SettingsResult
  // Unsaved text can only return with this response.
  const unsaved = import.meta.env.SSR && !(await isSaved(args, form))
  return unsaved ? result : accepted(args.request, result, 'removed')
}

/** The picture first: if it is refused, nothing is saved, and the form can be sent again. */
async function save(args: ActionFunctionArgs, form: FormData): Promise<void> {
  const ask = apiOf(args)
  await savePicture(args, form, 'picture')
  const params = await ownShop(args)
  const { problem } = await attempt(ask('PUT /api/shops/:username', { params, body: shopOf(form) }))
  // Another shop has this name.
  if (problem?.status === 409) throw new Problem(409, problem.message, { fields: { name: problem.message } })
  if (problem) throw problem
}

async function isSaved(args: ActionFunctionArgs, form: FormData): Promise<boolean> {
  const typed = shopOf(form)
  const shop = await apiOf(args)('GET /api/shops/:username', { params: await ownShop(args) })
  return (
    shop.words === typed.words &&
    shop.place === typed.place &&
    shop.name === typed.name &&
    shop.shows_name === typed.shows_name
  )
}

/** A form as the API takes it. Browsers send line ends as two characters. */
function shopOf(form: FormData): ShopDraft {
  const text = (name: string) => String(form.get(name) ?? '').replaceAll('\r\n', '\n')
  const shows_name = form.get('shows_name') !== null
  return { words: text('words'), place: text('place'), name: text('name'), shows_name }
}

/** First error of each field. */
export function brokenShop(form: FormData): FieldErrors | undefined {
  const file = photoOf(form)
  return withImage(fieldErrors(ShopDraft, shopOf(form)), file ? brokenFile(file, 'pictures') : undefined)
}

export const handle = { title: () => 'Your shop page' }
