import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import { fieldErrors } from '#contract'
import { idIn } from '#id'
import type { FieldErrors } from '#problem'
import { NO_REPLY } from '#reviews/contract.ts'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted } from '#ui/flash.ts'
import { type Grounds, NewReport, type Subject } from '../notices-contract.ts'

/**
 * What is reported, from the address: `/report?listing=7`, with `&review=9` or `&reply=9` (to that review), or
 * `?maker=ana`.
 */
interface Reported {
  about: Subject
  /** Name of the listing, or of the maker. */
  name: string
  /** Text of the review, or of the reply. */
  words: string | null
}

/** @throws Problem, Response 404 if there is no such thing */
export async function loader(args: LoaderFunctionArgs): Promise<Reported> {
  const ask = apiOf(args)
  const { listing, review, reply, maker } = namedIn(args.request)
  if (maker !== null) {
    const { username } = await ask('GET /api/shops/:username', { params: { username: maker } })
    return { about: 'shop', name: username, words: null }
  }
  if (listing === null) throw data('There is nothing at this address', { status: 404 })
  const { name } = await ask('GET /api/products/:id', { params: { id: listing } })
  const id = review ?? reply
  if (id === null) return { about: 'listing', name, words: null }
  const [found] = await ask('GET /api/reviews/:productId/reviews', {
    params: { productId: listing },
    query: { id },
  })
  if (!found) throw data('There is no such review', { status: 404 })
  if (review !== null) return { about: 'review', name, words: found.review }
  if (found.reply === null) throw data(NO_REPLY, { status: 404 })
  return { about: 'reply', name, words: found.reply }
}

function namedIn(request: Request) {
  const query = new URL(request.url).searchParams
  return {
    listing: idIn(query.get('listing')) ?? null,
    review: idIn(query.get('review')) ?? null,
    reply: idIn(query.get('reply')) ?? null,
    maker: query.get('maker'),
  }
}

/** State of the form. */
export interface ReportResult {
  done?: string
  problems?: string[]
  fields?: FieldErrors
  typed?: { grounds: string; words: string; email: string }
}

export const DONE = {
  sent: { done: 'Thank you. Your report has arrived, and those who run the shop read it' },
} satisfies Record<string, ReportResult>

function send(
  ask: ReturnType<typeof apiOf>,
  { listing, review, reply, maker }: ReturnType<typeof namedIn>,
  body: NewReport,
) {
  if (maker !== null) return ask('POST /api/shops/:username/reports', { params: { username: maker }, body })
  if (review !== null) return ask('POST /api/reviews/:id/reports', { params: { id: review }, body })
  if (reply !== null) return ask('POST /api/reviews/:id/reply/reports', { params: { id: reply }, body })
  return ask('POST /api/products/:id/reports', { params: { id: listing ?? 0 }, body })
}

/** Sends the report. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const typed = typedIn(form)
  const fields = validateReport(form)
  if (fields) return data<ReportResult>({ typed, fields }, 400)
  const body = { ...typed, grounds: typed.grounds as Grounds }
  const { problem } = await attempt(send(apiOf(args), namedIn(args.request), body))
  if (!problem) return accepted(args.request, DONE.sent, 'sent')
  return data<ReportResult>({ typed, problems: problem.errors }, problem.status || 503)
}

/** Messages by field of a report that would be refused. Undefined without any. */
export const validateReport = (form: FormData): FieldErrors | undefined =>
  fieldErrors(NewReport, typedIn(form))

function typedIn(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? '')
  return { grounds: text('grounds'), words: text('words'), email: text('email') }
}

export const handle = { title: () => 'Report' }
