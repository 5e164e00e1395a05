import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import { keepTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted, leadsTo, type Refusal, refused } from '#ui/flash.ts'
import { pageAt } from '#ui/page-at.ts'
import { DRAFTS_AT_ONCE } from '../contract.ts'

const DRAFTS = '/drafts'

/** A page of the user's drafts, last changed first. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireLoginUnlessTyped(args)
  const url = new URL(args.request.url)
  const cursor = url.searchParams.get('cursor') ?? undefined
  if (!user) return { drafts: [], next_cursor: null, count: 0, photos: null }
  const ask = apiOf(args)
  const [page, photos] = await Promise.all([
    pageAt(url, ask('GET /api/drafts/', { query: { limit: DRAFTS_AT_ONCE, cursor } })),
    ask('GET /api/import/photos'),
  ])
  return { ...page, photos }
}

/** Result of a form. */
export interface DraftsResult extends Refusal {
  done?: string
  /** Drafts that were not published, with the reasons. */
  refused?: { id: number; name: string; errors: string[] }[]
  /** Ids of the drafts that stay ticked. */
  ticked?: number[]
}

export const DONE = {
  deleted: { done: 'The draft is deleted' },
  imported: { done: 'The file is taken in: its listings are drafts now' },
} satisfies Record<string, DraftsResult>

/** Publishes the ticked drafts, deletes one, or begins one from a listing. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepTyped(args)
  const ask = apiOf(args)
  const [intent, id = '', version] = String(form.get('intent')).split(' ')
  switch (intent) {
    case 'delete': {
      const { problem } = await attempt(
        ask('DELETE /api/drafts/:draftId', {
          params: { draftId: id },
          ...(version ? { headers: { 'expected-version': version } } : {}),
        }),
      )
      // Deleted already is a success.
      if (problem && problem.status !== 404) return refused<DraftsResult>(problem, { ticked: [] })
      return accepted<DraftsResult>(args.request, DONE.deleted, 'deleted')
    }
    case 'duplicate': {
      const { response, problem } = await attempt(ask('POST /api/products/:id/draft', { params: { id } }))
      if (problem?.status === 0) return data<DraftsResult>({ problems: [COPY_UNKNOWN] }, 503)
      if (problem) return refused<DraftsResult>(problem, { ticked: [] })
      return leadsTo(`${DRAFTS}/${response.id}`, 'duplicated')
    }
    case 'publish': {
      const ids = form.getAll('draft').map(Number)
      if (ids.length === 0) return data<DraftsResult>({ problems: ['Tick the drafts to publish first'] }, 400)
      const { response, problem } = await attempt(ask('POST /api/drafts/publish', { body: { ids } }))
      if (problem) return refused<DraftsResult>(problem, { ticked: ids })
      const { published, refused: stay } = response
      const done =
        published.length === 1 ? '1 draft is published' : `${published.length} drafts are published`
      return data<DraftsResult>({
        done,
        ...(stay.length > 0 ? { refused: stay, ticked: stay.map(({ id }) => id) } : {}),
      })
    }
    default:
      return data<DraftsResult>({ problems: ['This form is not one of ours'] }, 400)
  }
}

const COPY_UNKNOWN =
  'The connection was lost. If the copy is not among your drafts below, load this page again before you duplicate once more'

export { shouldRevalidate } from '#ui/revalidate-on-conflict.ts'

export const handle = { title: () => 'Your drafts' }
