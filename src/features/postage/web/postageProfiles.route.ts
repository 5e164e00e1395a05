import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  redirect,
  type ShouldRevalidateFunctionArgs,
} from 'react-router'
import { hasTyped, keepTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import { accountIn, requireSameAccount } from '#accounts/web/same-account.ts'
import type { FieldErrors } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted, leadsTo, type Refusal, refused } from '#ui/flash.ts'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import {
  formOf,
  type ProfileForm,
  parseProfile,
  validateProfile,
  withoutRow,
  withRow,
} from './parseProfile.ts'

export const POSTAGE = '/settings/postage'
/** Query parameter with the id of the profile that is edited. */
export const EDITED = 'profile'
/** Its value for a profile that is added. */
export const NEW = 'new'
export const editedAt = (id: number | string): string => `${POSTAGE}?${EDITED}=${id}`
const editedIn = (request: Request) => new URL(request.url).searchParams.get(EDITED)

/** The user's profiles, and the one that the address edits: undefined for a new one, null for none. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireLoginUnlessTyped(args)
  const { profiles } = user ? await apiOf(args)('GET /api/postage/') : { profiles: [] }
  const wanted = editedIn(args.request)
  const edited = profiles.find(({ id }) => String(id) === wanted)
  // Deleted meanwhile. What is typed stays to be copied.
  if (user && !hasTyped(args) && wanted !== null && wanted !== NEW && !edited) throw redirect(POSTAGE)
  return { account: user?.id, profiles, edited: wanted === null ? null : edited }
}

/** Not if the shop is unavailable: the page would be replaced by an error. */
export const shouldRevalidate = ({ actionStatus = 200 }: ShouldRevalidateFunctionArgs): boolean =>
  actionStatus < 500

/** State of the forms of this page. */
export interface PostageResult extends Refusal {
  done?: string
  fields?: FieldErrors
  typed?: ProfileForm
  key?: string
  /** The control that gets the focus. */
  focus?: string
}

export const DONE = {
  saved: { done: 'Saved' },
  chosen: { done: 'Your default is changed' },
  deleted: { done: 'Deleted' },
} satisfies Record<string, PostageResult>

/** Saves a profile, adds and removes rows for browsers without scripts, or changes the list, by the pressed button. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const changed = changeRows(form)
  if (changed) {
    keepTyped(args)
    return changed
  }
  const ask = apiOf(args)
  const params = { profileId: String(form.get('id') ?? '0') }
  switch (intentOf(form)) {
    case 'save':
      return save(args, form)
    case 'default': {
      const { problem } = await attempt(ask('PUT /api/postage/:profileId/default', { params }))
      return problem ? refused(problem) : accepted(args.request, DONE.chosen, 'chosen')
    }
    case 'delete': {
      const { problem } = await attempt(ask('DELETE /api/postage/:profileId', { params }))
      // Deleted already is a success.
      return problem && problem.status !== 404 ? refused(problem) : leadsTo(POSTAGE, 'deleted')
    }
    default:
      return data({ problems: ['This form is not one of ours'] } satisfies PostageResult, 400)
  }
}

const intentOf = (form: FormData) => String(form.get('intent') ?? '')

/** What is typed, for a page that shows it again. */
const typedIn = (form: FormData) => ({
  typed: formOf(form),
  key: String(form.get('key') ?? ''),
  account: accountIn(form),
})

/** The form with a row more or less, by the pressed button; undefined for other buttons. */
export function changeRows(form: FormData): PostageResult | undefined {
  const [, change, part, row = ''] = /^(add|remove)-(rate|place)\.?(\d*)$/.exec(intentOf(form)) ?? []
  if (!change) return undefined
  const kind = part as 'rate' | 'place'
  const { typed, ...others } = typedIn(form)
  if (change === 'remove') return { ...others, typed: withoutRow(typed, kind, row), focus: `add-${kind}` }
  const { form: longer, focus } = withRow(typed, kind)
  return { ...others, typed: longer, focus }
}

async function save(args: ActionFunctionArgs, form: FormData) {
  keepTyped(args)
  const fields = validateProfile(form)
  if (fields) return data({ fields, ...typedIn(form) } satisfies PostageResult, 400)
  const ask = apiOf(args)
  const typed = formOf(form)
  const body = parseProfile(typed)
  const edited = editedIn(args.request) ?? NEW
  const key = String(form.get('key') ?? '')
  const saving = requireSameAccount(ask, form).then(() =>
    edited === NEW
      ? ask('POST /api/postage/', { body, ...(key ? { headers: { 'idempotency-key': key } } : {}) })
      : ask('PUT /api/postage/:profileId', {
          params: { profileId: edited },
          body,
          ...(typed.version ? { headers: { 'expected-version': typed.version } } : {}),
        }),
  )
  const { problem } = await attempt(saving)
  if (!problem) return leadsTo(POSTAGE, 'saved')
  const { status, errors } = problem
  return refused<PostageResult>(problem, {
    problems: status === 404 ? ['This profile was deleted meanwhile'] : errors,
    account: accountIn(form),
    key: status === 422 ? newIdempotencyKey() : key,
    // A seller who has read about the version conflict overwrites the newer version.
    typed: status === 409 ? { ...typed, version: '' } : typed,
  })
}

export const handle = { title: () => 'Postage' }
