import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import { keepDraft, personOrDraft } from '#accounts/web/person.ts'
import type { FieldErrors } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted } from '#ui/flash.ts'

export const NOTICES = '/settings/notices'

/** What was decided about the user; nothing if the session ended while a form was refused. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await personOrDraft(args)
  return user ? (await apiOf(args)('GET /api/notices/')).notices : []
}

/** State of the forms of this page. */
export interface NoticesResult {
  done?: string
  problems?: string[]
  fields?: FieldErrors
  /** The session has ended. */
  loginNeeded?: boolean
  /** The decision whose form was refused. */
  id?: number
  typed?: string
}

export const DONE = {
  objected: { done: 'Your objection has arrived. You get a letter when it is answered' },
} satisfies Record<string, NoticesResult>

/** Objects to a decision. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepDraft(args)
  const id = Number(form.get('id'))
  const words = String(form.get('words') ?? '')
  const { problem } = await attempt(
    apiOf(args)('POST /api/notices/:decisionId/objection', { params: { decisionId: id }, body: { words } }),
  )
  if (!problem) return accepted(args.request, { ...DONE.objected }, 'objected')
  const { fields, errors, status } = problem
  return data<NoticesResult>(
    {
      id,
      typed: words,
      ...(fields ? { fields } : { problems: errors }),
      loginNeeded: status === 401,
    },
    status || 503,
  )
}

export const handle = { title: () => 'Notices' }
