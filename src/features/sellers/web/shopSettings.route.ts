import type { ActionFunctionArgs, LoaderFunctionArgs } from 'react-router'
import { fieldErrors } from '#contract'
import { validateFile } from '#images/contract.ts'
import { photoOf } from '#images/web/upload.ts'
import { type FieldErrors, Problem } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { ShopInput } from '../contract.ts'
import { loadOwn, type SettingsResult, saveOrRemove, savePicture, shopOf, withImage } from './pictureForm.ts'

/** The user's profile: see `loadOwn`. */
export const loader = (args: LoaderFunctionArgs) =>
  loadOwn(args, (ask, params) => ask('GET /api/shops/:username', { params }))

/** Messages of forms sent without scripts. */
export const DONE = {
  saved: { done: 'Saved' },
  removed: { done: 'Picture removed' },
} satisfies Record<string, SettingsResult>

/** Saves the text and a chosen picture, or removes the picture. */
export async function action(args: ActionFunctionArgs) {
  return saveOrRemove(args, { kind: 'picture', done: DONE, broken: validateShop, save, isSaved })
}

/** The picture first: if it is refused, nothing is saved, and the form can be sent again. */
async function save(args: ActionFunctionArgs, form: FormData): Promise<void> {
  const ask = apiOf(args)
  await savePicture(args, form, 'picture')
  const params = await shopOf(args, form)
  const { problem } = await attempt(ask('PUT /api/shops/:username', { params, body: shopIn(form) }))
  // Another shop has this name.
  if (problem?.status === 409) throw new Problem(409, problem.message, { fields: { name: problem.message } })
  if (problem) throw problem
}

async function isSaved(args: ActionFunctionArgs, form: FormData): Promise<boolean> {
  const typed = shopIn(form)
  const shop = await apiOf(args)('GET /api/shops/:username', { params: await shopOf(args, form) })
  return (
    shop.words === typed.words &&
    shop.place === typed.place &&
    shop.name === typed.name &&
    shop.shows_name === typed.shows_name
  )
}

/** A form as the API takes it. Browsers send line ends as two characters. */
function shopIn(form: FormData): ShopInput {
  const text = (name: string) => String(form.get(name) ?? '').replaceAll('\r\n', '\n')
  const shows_name = form.get('shows_name') !== null
  return { words: text('words'), place: text('place'), name: text('name'), shows_name }
}

/** First error of each field. */
export function validateShop(form: FormData): FieldErrors | undefined {
  const file = photoOf(form)
  return withImage(fieldErrors(ShopInput, shopIn(form)), file ? validateFile(file, 'pictures') : undefined)
}

export const handle = { title: () => 'Your shop page' }
