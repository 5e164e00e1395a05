import type { ActionFunctionArgs, LoaderFunctionArgs } from 'react-router'
import { fieldErrors } from '#contract'
import { validateFile } from '#images/contract.ts'
import { photoOf } from '#images/web/upload.ts'
import type { FieldErrors } from '#problem'
import { apiOf } from '#ui/api-client.ts'
import { type ShopPage, ShopPageInput } from '../shop-page-contract.ts'
import { loadOwn, type SettingsResult, saveOrRemove, savePicture, shopOf, withImage } from './pictureForm.ts'

/** What the user's page shows: see `loadOwn`. */
export const loader = (args: LoaderFunctionArgs) =>
  loadOwn(args, (ask, params) => ask('GET /api/shops/:username/page', { params }))

/** Messages of forms sent without scripts. */
export const DONE = {
  saved: { done: 'Saved' },
  removed: { done: 'Photo removed' },
} satisfies Record<string, SettingsResult>

/** Saves the text and a chosen picture, or removes the picture. */
export async function action(args: ActionFunctionArgs) {
  return saveOrRemove(args, { kind: 'banner', done: DONE, broken: validatePolicies, save, isSaved })
}

/** The photo first: if it is refused, nothing is saved, and the form can be sent again. */
async function save(args: ActionFunctionArgs, form: FormData): Promise<void> {
  await savePicture(args, form, 'banner')
  const params = await shopOf(args, form)
  await apiOf(args)('PUT /api/shops/:username/page', { params, body: pageOf(form) })
}

async function isSaved(args: ActionFunctionArgs, form: FormData): Promise<boolean> {
  const { banner_alt: _, takes_messages, ...typed } = pageOf(form)
  const page = await apiOf(args)('GET /api/shops/:username/page', { params: await shopOf(args, form) })
  const isChosen = takes_messages === undefined || page.takes_messages === takes_messages
  return isChosen && TEXTS.every(name => page[name] === typed[name].trim())
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
function pageOf(form: FormData): ShopPageInput {
  const text = (name: string) => String(form.get(name) ?? '').replaceAll('\r\n', '\n')
  // A page that was opened before there was this choice has no such field.
  const takes = form.getAll('takes_messages').at(-1)
  return {
    contact_email: text('contact_email'),
    contact_phone: text('contact_phone'),
    returns: text('returns'),
    custom_orders: text('custom_orders'),
    care: text('care'),
    banner_alt: text('banner_alt'),
    ...(takes === undefined ? {} : { takes_messages: takes === 'yes' }),
  }
}

/** First error of each field. */
export function validatePolicies(form: FormData): FieldErrors | undefined {
  const file = photoOf(form)
  return withImage(
    fieldErrors(ShopPageInput, pageOf(form)),
    file ? validateFile(file, 'pictures') : undefined,
  )
}

export const handle = { title: () => 'Photo and policies' }
