import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { keepTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import { fieldErrors } from '#contract'
import { idIn } from '#id'
import type { FieldErrors } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted, type Refusal, refused } from '#ui/flash.ts'
import { PAGE_SIZE } from '#ui/page-size.ts'
import { type NoticePage, Objection } from '../notices-contract.ts'

export const NOTICES = '/settings/notices'

/** A page of what was decided about the user; nothing if the session ended while a form was refused. */
export async function loader(args: LoaderFunctionArgs): Promise<NoticePage> {
  if (!(await requireLoginUnlessTyped(args))) return { notices: [], next_cursor: null }
  const { searchParams } = new URL(args.request.url)
  const cursor = searchParams.get('cursor') ?? undefined
  const from = idIn(searchParams.get('from'))
  const query = { limit: PAGE_SIZE, cursor, from }
  const { response: page, problem } = await attempt(apiOf(args)('GET /api/notices/', { query }))
  // Nothing is as old as that, or the address is damaged.
  const isNone = problem ? problem.status === 400 : page.notices.length === 0
  if ((cursor ?? from) !== undefined && isNone) throw redirect(NOTICES)
  if (problem) throw problem
  return page
}

/** State of the forms of this page. */
export interface NoticesResult extends Refusal {
  done?: string
  fields?: FieldErrors
  /** The decision whose form was refused. */
  id?: number
  typed?: string
}

export const DONE = {
  objected: { done: 'Your objection has arrived. You get a letter when it is answered' },
  deleted: { done: 'Your review is deleted' },
  'reply-deleted': { done: 'Your reply is deleted' },
} satisfies Record<string, NoticesResult>

/** Objects to a decision, or deletes the review or reply that was hidden. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepTyped(args)
  if (form.has('review')) return deleteReview(args, String(form.get('review')))
  if (form.has('reply')) return deleteReply(args, String(form.get('reply')))
  const id = Number(form.get('id'))
  const typed = wordsIn(form)
  const fields = validateObjection(form)
  if (fields) return data<NoticesResult>({ id, typed, fields }, 400)
  const { problem } = await attempt(
    apiOf(args)('POST /api/notices/:decisionId/objection', {
      params: { decisionId: id },
      body: { words: typed },
    }),
  )
  if (!problem) return accepted(args.request, DONE.objected, 'objected')
  return refused<NoticesResult>(problem, { id, typed })
}

async function deleteReview(args: ActionFunctionArgs, id: string) {
  const { problem } = await attempt(apiOf(args)('DELETE /api/reviews/:id/delete-review', { params: { id } }))
  // Deleted already is a success.
  if (!problem || problem.status === 404) return accepted(args.request, DONE.deleted, 'deleted')
  return refused<NoticesResult>(problem)
}

const TAKEN_BACK = 'This decision was taken back meanwhile, so nothing was deleted'

/** Deletes the reply that a decision hides, not one that was written since. @param decision its id */
async function deleteReply(args: ActionFunctionArgs, decision: string) {
  const ask = apiOf(args)
  const query = { limit: 1, from: idIn(decision) }
  const { response, problem: unknown } = await attempt(ask('GET /api/notices/', { query }))
  if (unknown) return refused<NoticesResult>(unknown)
  const notice = response.notices.find(({ id }) => String(id) === decision)
  if (notice?.taken_back_at) return data<NoticesResult>({ problems: [TAKEN_BACK] }, 409)
  // Without a reply it is deleted already: a success.
  if (notice?.reply && notice.review_id) {
    const params = { id: notice.review_id }
    const { problem } = await attempt(ask('DELETE /api/reviews/:id/reply', { params }))
    if (problem && problem.status !== 404) return refused<NoticesResult>(problem)
  }
  return accepted(args.request, DONE['reply-deleted'], 'reply-deleted')
}

const wordsIn = (form: FormData) => String(form.get('words') ?? '')

/** Messages by field of an objection that would be refused. Undefined without any. */
export const validateObjection = (form: FormData): FieldErrors | undefined =>
  fieldErrors(Objection, { words: wordsIn(form) })

export { shouldRevalidate } from '#ui/revalidate-on-conflict.ts'

export const handle = { title: () => 'Notices' }
