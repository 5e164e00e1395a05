import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { hasTyped, keepTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import { requireSameAccount } from '#accounts/web/same-account.ts'
import type { Id } from '#contract'
import { photoOf } from '#images/web/upload.ts'
import { type FieldErrors, Problem } from '#problem'
import { type Ask, apiOf, attempt } from '#ui/api-client.ts'
import { accepted, type Refusal } from '#ui/flash.ts'
import { textFieldsOf } from '#ui/text-fields.ts'

/** Result of a settings form with a picture. */
export interface SettingsResult extends Refusal {
  /** Success message. */
  done?: string
  fields?: FieldErrors
  /** The picture has to be chosen again. */
  photoLost?: boolean
  /** Typed values that are not saved. */
  typed?: Record<string, string>
}

type Kind = 'picture' | 'banner'

/** Parameters of the calls about the user's shop. @throws Problem 403 if another account has opened the form */
export const shopOf = async (args: ActionFunctionArgs, form: FormData) => ({
  username: (await requireSameAccount(apiOf(args), form)).username,
})

/** Saves the chosen picture, if there is one. @throws Problem of the field `image` if the file is refused */
export async function savePicture(args: ActionFunctionArgs, form: FormData, kind: Kind): Promise<void> {
  const image = photoOf(form)
  if (!image) return
  const sent = { params: await shopOf(args, form), body: { image } }
  const { problem } = await attempt(apiOf(args)(`POST /api/shops/:username/${kind}`, sent))
  // Errors of the file belong to its field.
  if (problem && [400, 413].includes(problem.status))
    throw new Problem(problem.status, problem.message, { fields: { image: problem.message } })
  if (problem) throw problem
  // It is stored, also if the texts are refused.
  form.delete('image')
}

/** Typed values. A chosen file stays in a form sent by scripts; otherwise it is lost. */
const unsavedOf = (form: FormData): SettingsResult => ({
  typed: textFieldsOf(form),
  ...(import.meta.env.SSR && photoOf(form) ? { photoLost: true } : {}),
})

/** The result of a refused form. */
const refused = (form: FormData, { fields, errors, status }: Problem): SettingsResult => ({
  ...(fields ? { fields } : { problems: errors }),
  loginNeeded: status === 401,
  ...unsavedOf(form),
})

/**
 * Loads what is edited; null if the session ended while a form was refused. A suspended seller has no page: they read why.
 * @param read makes the call
 */
export async function loadOwn<A extends object>(
  args: LoaderFunctionArgs,
  read: (ask: Ask, params: { username: string }) => Promise<A>,
): Promise<(A & { username: string; account: Id }) | null> {
  const user = await requireLoginUnlessTyped(args)
  if (!user) return null
  const { username, id: account } = user
  const { response, problem } = await attempt(read(apiOf(args), { username }))
  if (problem?.status === 404) {
    if (hasTyped(args)) return null
    throw redirect('/settings/notices')
  }
  if (problem) throw problem
  return { ...response, username, account }
}

interface PictureForm {
  kind: Kind
  /** Messages by their names, also of forms sent without scripts. */
  done: { saved: SettingsResult; removed: SettingsResult }
  /** First error of each field. */
  broken: (form: FormData) => FieldErrors | undefined
  save: (args: ActionFunctionArgs, form: FormData) => Promise<void>
  /** Whether the text is what is stored. */
  isSaved: (args: ActionFunctionArgs, form: FormData) => Promise<boolean>
}

/** The action of a form with texts and a picture: saves the texts and a chosen picture, or removes the picture. */
export async function saveOrRemove(
  args: ActionFunctionArgs,
  { kind, done, broken, save, isSaved }: PictureForm,
) {
  const form = await args.request.formData()
  keepTyped(args)
  const removing = form.get('intent') === 'remove'
  const fields = removing ? undefined : broken(form)
  if (fields) return data<SettingsResult>({ fields, ...unsavedOf(form) }, 400)
  const remove = async () =>
    apiOf(args)(`DELETE /api/shops/:username/${kind}`, { params: await shopOf(args, form) })
  const { problem } = await attempt<unknown>(removing ? remove() : save(args, form))
  if (problem) return data(refused(form, problem), problem.status || 503)
  if (!removing) return accepted(args.request, done.saved, 'saved')
  const result: SettingsResult = { ...done.removed, typed: textFieldsOf(form) }
  // Unsaved text can only return with this response.
  const unsaved = import.meta.env.SSR && !(await isSaved(args, form))
  return unsaved ? result : accepted(args.request, result, 'removed')
}

/** Adds the error of a chosen file, under `image`, to those of the other fields. undefined: none */
export function withImage(errors: FieldErrors | undefined, image: string | undefined) {
  const all = { ...errors, ...(image ? { image } : {}) }
  return Object.keys(all).length > 0 ? all : undefined
}
