import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import { hasTyped, keepTyped } from '#accounts/web/person.ts'
import { accountIn, requireSameAccount } from '#accounts/web/same-account.ts'
import { fieldErrors, type Id } from '#contract'
import type { FieldErrors } from '#problem'
import { type Ask, apiOf, attempt } from '#ui/api-client.ts'
import { accepted, type Refusal, refused } from '#ui/flash.ts'
import type { Handle } from '#ui/page-title.ts'
import { NewApplication, type Selling } from '../contract.ts'

export const SELL = '/sell'

/** What the page shows. */
interface Loaded {
  /** null: a visitor, or the session ended while a form was refused. */
  selling: Selling | null
  /** Code of the invitation that was opened. Null without one. */
  invitation: string | null
  isRefused: boolean
  /** Undefined as long as `selling` is null. */
  account: Id | undefined
}

/** Whether the user may sell. */
export async function loader(args: LoaderFunctionArgs): Promise<Loaded> {
  const ask = apiOf(args)
  const { response, problem } = await attempt(Promise.all([ask('GET /api/selling/'), ask('GET /api/auth/')]))
  if (problem && problem.status !== 401) throw problem
  const [selling = null, user] = response ?? []
  const invitation = new URL(args.request.url).searchParams.get('invitation')
  return { selling, invitation, isRefused: hasTyped(args), account: user?.id }
}

/** State of the forms of this page. */
export interface SellResult extends Refusal {
  done?: string
  fields?: FieldErrors
  typed?: string
}

export const DONE = {
  applied: { done: 'Your application has arrived. You get a letter when it is answered' },
  invited: { done: 'You may sell here. Welcome' },
} satisfies Record<string, SellResult>

/** Applies, or accepts an invitation. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepTyped(args)
  const code = form.get('code')
  const words = wordsIn(form)
  const fields = code === null ? validateApplication(form) : undefined
  if (fields) return data<SellResult>({ typed: words, fields, account: accountIn(form) }, 400)
  const ask = apiOf(args)
  const sending = async () => {
    await requireSameAccount(ask, form)
    await send(ask, code === null ? null : String(code), words)
  }
  const { problem } = await attempt(sending())
  const sent = code === null ? 'applied' : 'invited'
  if (!problem) return accepted(args.request, DONE[sent], sent)
  return refused<SellResult>(problem, { typed: words, account: accountIn(form) })
}

const wordsIn = (form: FormData) => String(form.get('words') ?? '')

/** Messages by field of an application that would be refused. Undefined without any. */
export const validateApplication = (form: FormData): FieldErrors | undefined =>
  fieldErrors(NewApplication, { words: wordsIn(form) })

async function send(ask: Ask, code: string | null, words: string): Promise<void> {
  if (code === null) await ask('POST /api/selling/application', { body: { words } })
  else await ask('POST /api/selling/invitation', { body: { code } })
}

export { shouldRevalidate } from '#ui/revalidate-on-conflict.ts'

// Its address may have the code of an invitation.
export const handle: Handle = { title: () => 'Sell with us', referrerPolicy: 'strict-origin' }
