import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  redirect,
  redirectDocument,
} from 'react-router'
import { hasTyped, keepTyped, requireLogin } from '#accounts/web/person.ts'
import { fieldErrors } from '#contract'
import { validateFile } from '#images/contract.ts'
import { isChosen } from '#images/web/upload.ts'
import { PLEASE_CONFIRM } from '#operators/contract.ts'
import type { FieldErrors, Problem } from '#problem'
import {
  BRAND_CHANGED,
  BRAND_LENGTHS,
  BrandInput,
  type BrandPicture,
  type EditedBrand,
  type Member,
  PICTURES,
} from '#site/brand-contract.ts'
import { type Ask, apiOf, attempt } from '#ui/api-client.ts'

const BRAND = '/operate/brand'

/** Single fields of the form. */
const FIELDS = [
  ...(Object.keys(BRAND_LENGTHS) as (keyof typeof BRAND_LENGTHS)[]),
  ...(['paper_light', 'accent_light', 'paper_dark', 'accent_dark'] as const),
]
export type BrandTexts = Record<(typeof FIELDS)[number], string> & { team: Member[] }
/** What was typed, with the reason of the change. */
type Typed = BrandTexts & { reason: string }

export interface BrandResult {
  done?: string
  problems?: string[]
  fields?: FieldErrors
  /** What was typed, if it is not saved. */
  typed?: Typed
  /** The version that it is based on. '' overwrites any. */
  version?: string
  /** A version conflict: another operator has saved meanwhile. */
  changed?: boolean
  /** Pictures have to be chosen again. */
  photosLost?: boolean
  /** Pictures that are still to be removed. */
  removed?: BrandPicture[]
  /** The operator session or the login ended before the form was sent. */
  closed?: boolean
}

export const DONE = {
  saved: { done: 'Saved. Everybody sees it now' },
} satisfies Record<string, BrandResult>

const WORDS_ONLY = 'Name and words are saved, but not every picture:'

/**
 * @returns null if the operator session has ended: only the typed texts are left
 * @throws redirects to the login or to the reauthentication
 */
export async function loader(args: LoaderFunctionArgs): Promise<EditedBrand | null> {
  const isRefused = hasTyped(args)
  if (!isRefused) await requireLogin(args)
  const { response, problem } = await attempt(apiOf(args)('GET /api/operate/brand'))
  if (response) return response
  if (isRefused && [401, 403].includes(problem.status)) return null
  if (problem.message === PLEASE_CONFIRM) throw redirect(`/operate/confirm?next=${BRAND}`)
  throw problem
}

/** Saves name and look, and sets or removes pictures. The next page is a document: every page shows the brand. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepTyped(args)
  const fields = validateBrand(form)
  if (fields) return data<BrandResult>({ fields, ...unsavedOf(form) }, 400)
  const ask = apiOf(args)
  const { response, problem } = await attempt(saveWords(ask, form))
  if (problem) return refused(problem, form)
  const { problem: picture } = await attempt(savePictures(ask, form))
  return picture ? refused(picture, form, response.version) : redirectDocument(`${BRAND}?done=saved`)
}

/** First error of each field. */
export function validateBrand(form: FormData): FieldErrors | undefined {
  const errors: FieldErrors = { ...fieldErrors(BrandInput, typedIn(form)) }
  for (const { name, file } of chosenIn(form)) {
    const broken = validateFile(file, 'pictures')
    if (broken) errors[name] = broken
  }
  return Object.keys(errors).length > 0 ? errors : undefined
}

const saveWords = (ask: Ask, form: FormData) => {
  const version = versionIn(form)
  const headers: Record<string, string> = version === '' ? {} : { 'expected-version': version }
  return ask('PUT /api/operate/brand', { body: typedIn(form), headers })
}

async function savePictures(ask: Ask, form: FormData): Promise<void> {
  const query = { reason: reasonIn(form) }
  for (const picture of removedIn(form))
    await ask('DELETE /api/operate/brand/:picture', { params: { picture }, query })
  for (const { name, file } of chosenIn(form))
    await ask('POST /api/operate/brand/:picture', { params: { picture: name }, query, body: { image: file } })
}

const versionIn = (form: FormData) => String(form.get('version') ?? '')

const reasonIn = (form: FormData) => String(form.get('reason') ?? '')

/** The pictures that are ticked to be removed. */
const removedIn = (form: FormData): BrandPicture[] => PICTURES.filter(name => form.has(`remove_${name}`))

/** The pictures that were chosen. */
const chosenIn = (form: FormData): { name: BrandPicture; file: File }[] =>
  PICTURES.flatMap(name => {
    const file = form.get(name)
    return isChosen(file) ? [{ name, file }] : []
  })

/** The values of the form. Of the team, rows without a name are left out. */
function typedIn(form: FormData): Typed {
  const texts = Object.fromEntries(FIELDS.map(name => [name, String(form.get(name) ?? '')]))
  const [names, roles, profiles] = ['member_name', 'member_role', 'member_profile'].map(name =>
    form.getAll(name).map(String),
  )
  const team = (names ?? []).map((name, n) => ({
    name,
    role: roles?.[n] ?? '',
    profile: profiles?.[n] ?? '',
  }))
  return {
    ...(texts as Omit<BrandTexts, 'team'>),
    team: team.filter(({ name }) => name.trim() !== ''),
    reason: reasonIn(form),
  }
}

/** Chosen files stay in a form sent by scripts; otherwise they are lost. */
const unsavedOf = (form: FormData) => ({
  typed: typedIn(form),
  version: versionIn(form),
  photosLost: import.meta.env.SSR && chosenIn(form).length > 0,
  removed: removedIn(form),
})

/** @param saved version of the words, if only a picture is refused */
const refused = ({ errors, status, message }: Problem, form: FormData, saved?: number) =>
  data<BrandResult>(
    {
      problems: saved === undefined ? errors : [WORDS_ONLY, ...errors],
      ...unsavedOf(form),
      ...(saved === undefined ? {} : { version: String(saved) }),
      changed: message === BRAND_CHANGED,
      closed: status === 401 || message === PLEASE_CONFIRM,
    },
    status || 503,
  )

export { shouldRevalidate } from './operate.route.ts'

export const handle = { title: () => 'Name and look' }
