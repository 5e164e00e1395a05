import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import { keepTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import { accountIn, requireSameAccount } from '#accounts/web/same-account.ts'
import { fieldErrors } from '#contract'
import type { FieldErrors } from '#problem'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted, type Refusal, refused } from '#ui/flash.ts'
import { NamedSection } from '../contract.ts'

export const SECTIONS = '/settings/sections'

/** The user's sections; null if the session ended while a form was refused. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireLoginUnlessTyped(args)
  return user ? { ...(await apiOf(args)('GET /api/sections/')), account: user.id } : null
}

/** State of the forms of this page. */
export interface SectionsResult extends Refusal {
  done?: string
  fields?: FieldErrors
  /** The section whose form was refused. Undefined for a new one. */
  id?: number
  /** Name that is not saved. */
  typed?: string
}

export const DONE = {
  added: { done: 'Section added' },
  saved: { done: 'Name saved' },
  moved: { done: 'Order saved' },
  removed: { done: 'Section removed' },
} satisfies Record<string, SectionsResult>

/** Adds, renames, moves or removes a section, by the pressed button. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepTyped(args)
  const ask = apiOf(args)
  const id = Number(form.get('id'))
  const params = { sectionId: id }
  const name = nameIn(form)
  const fields = validateSection(form)
  switch (form.get('intent')) {
    case 'add': {
      const typed = { typed: name, account: accountIn(form) }
      if (fields) return data<SectionsResult>({ ...typed, fields }, 400)
      const own = requireSameAccount(ask, form).then(() => ask('GET /api/sections/'))
      const { response: before, problem: unread } = await attempt(own)
      if (unread) return refused<SectionsResult>(unread, typed)
      const { response, problem } = await attempt(ask('POST /api/sections/', { body: { name } }))
      // The call is idempotent, for imports.
      const same = before.sections.find(({ id }) => id === response?.id)
      if (same)
        return data<SectionsResult>(
          { ...typed, fields: { name: `You have a section called ${same.name} already` } },
          409,
        )
      if (problem) return refused<SectionsResult>(problem, typed)
      return accepted(args.request, DONE.added, 'added')
    }
    case 'rename': {
      if (fields) return data<SectionsResult>({ id, typed: name, fields }, 400)
      const { problem } = await attempt(ask('PUT /api/sections/:sectionId', { params, body: { name } }))
      if (problem) return refused<SectionsResult>(problem, { id, typed: name })
      return accepted(args.request, DONE.saved, 'saved')
    }
    case 'move': {
      const body = { position: Number(form.get('position')) }
      const { problem } = await attempt(ask('PUT /api/sections/:sectionId/position', { params, body }))
      return problem ? refused(problem) : accepted(args.request, DONE.moved, 'moved')
    }
    case 'remove': {
      const { problem } = await attempt(ask('DELETE /api/sections/:sectionId', { params }))
      // Removed already is a success.
      return problem && problem.status !== 404
        ? refused(problem)
        : accepted(args.request, DONE.removed, 'removed')
    }
    default:
      return data({ problems: ['This form is not one of ours'] } satisfies SectionsResult, 400)
  }
}

const nameIn = (form: FormData) => String(form.get('name') ?? '')

/** Messages by field of a name that would be refused. Undefined without any. */
export const validateSection = (form: FormData): FieldErrors | undefined =>
  fieldErrors(NamedSection, { name: nameIn(form) })

export { shouldRevalidate } from '#ui/revalidate-on-conflict.ts'

export const handle = { title: () => 'Sections' }
