import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  redirect,
  type ShouldRevalidateFunctionArgs,
} from 'react-router'
import { hasTyped, keepTyped, requireLogin } from '#accounts/web/person.ts'
import { formatDate } from '#format-date'
import { idIn } from '#id'
import { PLEASE_CONFIRM } from '#operators/contract.ts'
import {
  type EditedPage,
  isSlug,
  type PageRow,
  SAVED_MEANWHILE,
  type Slug,
  type Step,
} from '#pages/contract.ts'
import type { FieldErrors, Problem } from '#problem'
import { type Ask, apiOf, attempt } from '#ui/api-client.ts'
import { leadsTo } from '#ui/flash.ts'
import type { Handle } from '#ui/page-title.ts'
import { changeWithAgreement, type Sent, sentIn, unsavedOf, validatePage } from './savePage.ts'

export const PAGES = '/operate/pages'

/**
 * The list of pages, or one page in the editor. `closed`: the operator session has ended, and only the typed text is
 * shown.
 */
export interface PagesLoaded {
  pages: PageRow[]
  page: EditedPage | null
  closed: boolean
}

/** State of the editor. */
export interface EditorResult {
  done?: string
  problems?: string[]
  fields?: FieldErrors
  /** What was typed, if it is not saved. */
  typed?: string
  /** The version that it is based on. */
  base?: number | null
  /** The tick that new members agree, as it was sent. */
  agreed?: boolean
  /** The reason, as it was sent. */
  reason?: string
  /** A version conflict: another operator has saved meanwhile. */
  changed?: boolean
  preview?: Step[]
  /** Blanks of the preview. */
  blanks?: string[]
  /** The operator session or the login ended before the form was sent. */
  closed?: boolean
}

export const DONE = {
  saved: { done: 'The draft is saved' },
  published: { done: 'The page is published' },
  'taken-back': { done: 'The page is taken back. Its text stays here as a draft' },
  asked: { done: 'Saved' },
} satisfies Record<string, EditorResult>

function slugOf({ params }: Pick<LoaderFunctionArgs, 'params'>): Slug {
  if (!isSlug(params.slug)) throw data('There is nothing at this address', { status: 404 })
  return params.slug
}

/** @throws Problem, Response 404 if there is no such page; redirects to the login or to the reauthentication */
export async function loader(args: LoaderFunctionArgs): Promise<PagesLoaded> {
  const isRefused = hasTyped(args)
  if (!isRefused) await requireLogin(args)
  const { pathname, search } = new URL(args.request.url)
  const { response, problem } = await attempt(load(args))
  if (response) return response
  if (isRefused && [401, 403].includes(problem.status)) return { pages: [], page: null, closed: true }
  if (problem.message === PLEASE_CONFIRM)
    throw redirect(`/operate/confirm?next=${encodeURIComponent(pathname + search)}`)
  throw problem
}

async function load(args: LoaderFunctionArgs): Promise<PagesLoaded> {
  const ask = apiOf(args)
  if (args.params.slug === undefined)
    return { ...(await ask('GET /api/operate/pages')), page: null, closed: false }
  const version = idIn(new URL(args.request.url).searchParams.get('version'))
  const params = { slug: slugOf(args) }
  return {
    pages: [],
    page: await ask('GET /api/operate/pages/:slug', { params, query: { version } }),
    closed: false,
  }
}

/** Does what the pressed button says with the text in the form. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepTyped(args)
  const slug = slugOf(args)
  const ask = apiOf(args)
  const sent = sentIn(form, slug)
  const intent = String(form.get('intent') ?? '')
  if (intent === 'preview') {
    const { response, problem } = await attempt(
      ask('POST /api/operate/pages/preview', { body: { text: sent.text } }),
    )
    if (problem) return refused(problem, sent)
    return {
      ...unsavedOf(sent),
      preview: response.content,
      blanks: response.blanks,
    } satisfies EditorResult
  }
  const fields = validatePage(form)
  if (fields) return data<EditorResult>({ fields, ...unsavedOf(sent) }, 400)
  if (intent === 'agreement') return askForAgreement(ask, sent)
  const done = intent === 'publish' ? 'published' : intent === 'take-back' ? 'taken-back' : 'saved'
  const { problem } = await attempt(changeWithAgreement(ask, done, sent, form))
  return problem ? refused(problem, sent) : leadsTo(`${PAGES}/${slug}`, done)
}

/** Text that is not saved is shown again: without scripts it would be gone. */
async function askForAgreement(ask: Ask, sent: Sent) {
  const { slug, text: typed, base, version, agreed: agreed_at_signup, reason } = sent
  const params = { slug }
  const change = async () => {
    await ask('PUT /api/operate/pages/:slug/agreement', { params, body: { agreed_at_signup, reason } })
    return ask('GET /api/operate/pages/:slug', { params, query: { version: version ?? undefined } })
  }
  const { response: shown, problem } = await attempt(change())
  if (problem) return refused(problem, sent)
  if ([shown.text, ''].includes(typed.trim())) return leadsTo(`${PAGES}/${slug}`, 'asked')
  return { ...DONE.asked, typed, base } satisfies EditorResult
}

const refused = ({ errors, status, message }: Problem, sent: Sent) =>
  data<EditorResult>(
    {
      problems: errors,
      ...unsavedOf(sent),
      changed: message === SAVED_MEANWHILE,
      closed: status === 401 || message === PLEASE_CONFIRM,
    },
    status || 503,
  )

/** Whether a page is published, in words. */
export function stateOf({ published_at, has_draft }: PageRow): string {
  if (published_at === null) return 'Draft, not published'
  return `Published ${formatDate(published_at)}${has_draft ? ', with a newer draft' : ''}`
}

/**
 * Loads again after a refusal too: after a version conflict, the next draft is based on the newer version. Not after a
 * preview, nor if the shop is unavailable: the page would be replaced by an error, with what was typed.
 */
export const shouldRevalidate = ({ formData, actionStatus = 200 }: ShouldRevalidateFunctionArgs): boolean =>
  actionStatus < 500 && formData?.get('intent') !== 'preview'

export const handle: Handle<PagesLoaded> = { title: ({ page }) => page?.title ?? 'Pages' }
