import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { proofOf } from '#accounts/web/passkeyChanges.ts'
import { hasTyped, keepTyped, requireLogin, safeNext } from '#accounts/web/person.ts'
import { PLEASE_CONFIRM } from '#operators/contract.ts'
import type { FieldErrors, Problem } from '#problem'
import type { Sale } from '#sales/contract.ts'
import { type Ask, apiOf, attempt } from '#ui/api-client.ts'
import { accepted } from '#ui/flash.ts'
import { pageAt } from '#ui/page-at.ts'
import { PAGE_SIZE } from '#ui/page-size.ts'
import { intents, type OperateTexts, operateTextsIn } from './operateIntents.ts'

export const OPERATE = '/operate'
const CONFIRM = `${OPERATE}/confirm`

/** State of the forms of these pages. */
export interface OperateResult {
  done?: string
  problems?: string[]
  fields?: FieldErrors
  /** Which form was refused. */
  intent?: string
  id?: number
  typed?: OperateTexts
  /** Path of the link that was made. */
  link?: string
  /** The order that was opened. */
  sale?: Sale
  /** The operator session or the login ended before the form was sent. */
  closed?: boolean
}

/** Data of a page, by its part of the address; '' is the first page. */
const parts = {
  async ''(ask: Ask) {
    return { part: '', overview: await ask('GET /api/operate/overview') } as const
  },
  async reports(ask: Ask) {
    const [{ reports }, { objections }] = await Promise.all([
      ask('GET /api/operate/reports'),
      ask('GET /api/operate/objections'),
    ])
    return { part: 'reports', reports, objections } as const
  },
  async listings(ask: Ask, query: URLSearchParams) {
    const asked = { ...searched(query), hidden: flag(query, 'hidden') }
    return { part: 'listings', ...(await ask('GET /api/operate/listings', { query: asked })) } as const
  },
  async reviews(ask: Ask, query: URLSearchParams) {
    const asked = { ...searched(query), hidden: flag(query, 'hidden') }
    return { part: 'reviews', ...(await ask('GET /api/operate/reviews', { query: asked })) } as const
  },
  async people(ask: Ask, query: URLSearchParams) {
    const asked = { ...searched(query), suspended: flag(query, 'suspended') }
    return { part: 'people', ...(await ask('GET /api/operate/people', { query: asked })) } as const
  },
  async orders(ask: Ask, query: URLSearchParams) {
    const asked = { ...searched(query), late: flag(query, 'late') }
    return { part: 'orders', ...(await ask('GET /api/operate/orders', { query: asked })) } as const
  },
  async makers(ask: Ask) {
    const [{ applications }, { invitations }] = await Promise.all([
      ask('GET /api/operate/applications'),
      ask('GET /api/operate/invitations'),
    ])
    return { part: 'makers', applications, invitations } as const
  },
  async settings(ask: Ask) {
    return { part: 'settings', settings: await ask('GET /api/operate/settings') } as const
  },
  async setup(ask: Ask, query: URLSearchParams) {
    const [state, dns] = await Promise.all([
      ask('GET /api/operate/setup'),
      query.has('dns') ? ask('GET /api/operate/setup/dns') : undefined,
    ])
    return { part: 'setup', state, findings: dns?.findings } as const
  },
  async operators(ask: Ask) {
    return { part: 'operators', ...(await ask('GET /api/operate/operators')) } as const
  },
  async log(ask: Ask, query: URLSearchParams) {
    return { part: 'log', ...(await ask('GET /api/operate/log', { query: searched(query) })) } as const
  },
  async confirm(ask: Ask) {
    return { part: 'confirm', session: await ask('GET /api/operate/session') } as const
  },
}
type Part = keyof typeof parts
/** `closed`: the operator session has ended, and only the typed texts are shown. */
export type Loaded = Awaited<ReturnType<(typeof parts)[Part]>> | { part: 'closed' }

const paging = (query: URLSearchParams) => ({ limit: PAGE_SIZE, cursor: query.get('cursor') ?? undefined })
const searched = (query: URLSearchParams) => ({ ...paging(query), q: query.get('q') || undefined })
const flag = (query: URLSearchParams, name: string) => (query.has(name) ? ('true' as const) : undefined)

export async function loader(args: LoaderFunctionArgs): Promise<Loaded> {
  const isRefused = hasTyped(args)
  if (!isRefused) await requireLogin(args)
  const url = new URL(args.request.url)
  const name = args.params.part ?? ''
  const load = Object.hasOwn(parts, name) ? parts[name as Part] : undefined
  if (!load) throw data('There is nothing at this address', { status: 404 })
  const { response, problem } = await attempt<Loaded>(
    pageAt<Loaded>(url, load(apiOf(args), url.searchParams)),
  )
  if (response) return response
  if (isRefused && [401, 403].includes(problem.status)) return { part: 'closed' }
  if (problem.status === 403)
    throw redirect(`${CONFIRM}?next=${encodeURIComponent(url.pathname + url.search)}`)
  throw problem
}

/** Makes the call of the pressed button. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepTyped(args)
  const intent = String(form.get('intent') ?? '')
  if (intent === 'confirm') return confirm(args, form)
  if (intent === 'leave') {
    const { problem } = await attempt(apiOf(args)('DELETE /api/operate/session'))
    return problem ? refused(problem, { intent }) : redirect('/')
  }
  const known = Object.hasOwn(intents, intent) ? intents[intent] : undefined
  if (!known) return data<OperateResult>({ problems: ['This form is not one of ours'] }, 400)
  const typed = operateTextsIn(form)
  const id = Number(form.get('id'))
  const fields = known.check(typed)
  if (fields) return data<OperateResult>({ fields, intent, id, typed }, 400)
  const { response, problem } = await attempt(known.send(apiOf(args), id, typed))
  if (problem) return refused(problem, { intent, id, typed })
  // Operators who have removed themselves cannot open these pages any more.
  if (intent === 'remove-operator' && (await apiOf(args)('GET /api/auth/')).id === id) return redirect('/')
  const result: OperateResult = { done: known.done, intent, id }
  // Shown once, so it is part of this response: a redirect would lose it.
  if (intent === 'open-order') return { ...result, sale: response as Sale }
  if (intent === 'password-link' || intent === 'invite')
    return { ...result, link: (response as { path: string }).path }
  return accepted(args.request, result, intent)
}

async function confirm(args: ActionFunctionArgs, form: FormData) {
  const ask = apiOf(args)
  const proof = async () => ask('POST /api/operate/session', { body: await proofOf(ask, form) })
  const { problem } = await attempt(proof())
  if (problem) {
    const field = problem.status === 400 ? 'current_password' : 'server'
    return data<OperateResult>({ fields: { [field]: problem.message } }, problem.status || 503)
  }
  const next = safeNext(form.get('next'))
  return redirect(next.startsWith(OPERATE) ? next : OPERATE)
}

const refused = (
  { status, errors, message }: Problem,
  form: Pick<OperateResult, 'intent' | 'id' | 'typed'>,
) =>
  data<OperateResult>(
    {
      ...form,
      problems: errors,
      closed: status === 401 || message === PLEASE_CONFIRM,
    },
    status || 503,
  )

const titles: Record<Loaded['part'], string> = {
  '': 'Today',
  reports: 'Reports',
  listings: 'Listings of all makers',
  reviews: 'Reviews of all listings',
  people: 'People',
  orders: 'Orders of all makers',
  makers: 'New makers',
  settings: 'Settings of the shop',
  setup: 'Set up the shop',
  operators: 'Operators',
  log: 'Log',
  confirm: 'Confirm that it is you',
  closed: 'Confirm that it is you',
}

export { shouldRevalidate } from '#ui/revalidate-on-conflict.ts'

export const titleOf = ({ part }: Loaded): string => titles[part]
export const handle = { title: titleOf }
