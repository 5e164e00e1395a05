import type { ActionFunctionArgs } from 'react-router'
import { photoOf } from '#images/web/upload.ts'
import { type FieldErrors, Problem } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { textFieldsOf } from '#ui/form-draft.ts'

/** Result of a settings form with a picture. */
export interface SettingsResult {
  /** Success message. */
  done?: string
  fields?: FieldErrors
  problems?: string[]
  /** The picture has to be chosen again. */
  photoLost?: boolean
  /** The session has ended. */
  loginNeeded?: boolean
  /** Typed values that are not saved. */
  draft?: Record<string, string>
}

type Kind = 'picture' | 'banner'

/** Parameters of the calls about the own shop. */
export const ownShop = async (args: ActionFunctionArgs) => ({
  username: (await apiOf(args)('GET /api/auth/')).username,
})

/** Saves the chosen picture, if there is one. @throws Problem of the field `image` if the file is refused */
export async function savePicture(args: ActionFunctionArgs, form: FormData, kind: Kind): Promise<void> {
  const image = photoOf(form)
  if (!image) return
  const sent = { params: await ownShop(args), body: { image } }
  const { problem } = await attempt(apiOf(args)(`POST /api/shops/:username/${kind}`, sent))
  // Errors of the file belong to its field.
  if (problem && [400, 413].includes(problem.status))
    throw new Problem(problem.status, problem.message, { fields: { image: problem.message } })
  if (problem) throw problem
}

/** Removes the picture; none is no error. */
export async function removePicture(args: ActionFunctionArgs, kind: Kind): Promise<void> {
  await apiOf(args)(`DELETE /api/shops/:username/${kind}`, { params: await ownShop(args) })
}

/** Typed values. A chosen file stays in a form sent by scripts; otherwise it is lost. */
export const draftOf = (form: FormData): SettingsResult => ({
  draft: textFieldsOf(form),
  ...(import.meta.env.SSR && photoOf(form) ? { photoLost: true } : {}),
})

/** The result of a refused form. */
export const refused = (form: FormData, { fields, errors, status }: Problem): SettingsResult => ({
  ...(fields ? { fields } : { problems: errors }),
  loginNeeded: status === 401,
  ...draftOf(form),
})

/** Adds the error of a chosen file, under `image`, to those of the other fields. undefined: none */
export function withImage(errors: FieldErrors | undefined, image: string | undefined) {
  const all = { ...errors, ...(image ? { image } : {}) }
  return Object.keys(all).length > 0 ? all : undefined
}
