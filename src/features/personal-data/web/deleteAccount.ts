import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirectDocument } from 'react-router'
import { DEMO, type User, WRONG_PASSWORD } from '#accounts/contract.ts'
import { requireLogin } from '#accounts/web/person.ts'
import { fieldErrors } from '#contract'
import type { FieldErrors } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { Deletion, type DeletionPreview } from '../contract.ts'

/** The page after a deletion, which confirms it. */
const DELETED = '/settings/account/delete?deleted'

export interface DeletionPage {
  /** What would be deleted, and whose account it is; null after the deletion. */
  preview: (DeletionPreview & { user: User; isDemo: boolean }) | null
}

/** Before the deletion and after it. */
export async function loadDeletion(args: LoaderFunctionArgs): Promise<DeletionPage> {
  const isAfter = new URL(args.request.url).searchParams.has('deleted')
  if (isAfter && !(await attempt(apiOf(args)('GET /api/auth/'))).response) return { preview: null }
  const user = await requireLogin(args)
  const preview = await apiOf(args)('GET /api/account/deletion')
  return { preview: { ...preview, user, isDemo: user.email === DEMO.email } }
}

/** A refused deletion. */
export interface DeletionResult {
  fields?: FieldErrors
  problems?: string[]
  /** The choice of the refused form. */
  reviews?: string
}

const NOT_CONFIRMED = 'Please confirm that your account is to be deleted for good'

/** First error of each field. */
export function validateDeletion(form: FormData): FieldErrors | undefined {
  const errors = {
    ...fieldErrors(Deletion, Object.fromEntries(form)),
    ...(form.get('confirmed') === 'yes' ? {} : { confirmed: NOT_CONFIRMED }),
  }
  return Object.keys(errors).length > 0 ? errors : undefined
}

/** Also after a deletion whose response was lost. */
const LOGGED_OUT = 'You are logged out. If you cannot log in any more, your account is deleted'

/** Deletes the account. */
export async function deleteAccount(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const reviews = form.get('reviews') === 'remove' ? 'remove' : 'keep'
  const fields = validateDeletion(form)
  if (fields) return data<DeletionResult>({ fields, reviews }, 400)
  const body = { current_password: String(form.get('current_password')), reviews } as const
  const { problem } = await attempt(apiOf(args)('POST /api/account/deletion', { body }))
  // Loads the whole page again: everything on it belonged to the account.
  if (!problem) return redirectDocument(DELETED)
  const result =
    problem.message === WRONG_PASSWORD
      ? { fields: { current_password: problem.message } }
      : { problems: problem.status === 401 ? [LOGGED_OUT] : problem.errors }
  return data<DeletionResult>({ ...result, reviews }, problem.status || 503)
}
