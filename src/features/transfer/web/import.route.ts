import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { keepTyped, requireLoginUnlessTyped } from '#accounts/web/person.ts'
import { apiOf, attempt } from '#ui/api-client.ts'
import { leadsTo, type Refusal, refused } from '#ui/flash.ts'
import { IMPORT_PAGE } from '../contract.ts'

/** Query parameters: the file that is shown, and the row after which its rows are. */
export const FILE = 'file'
export const AFTER = 'after'

/** What would become of the file that the address names, if it names one. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireLoginUnlessTyped(args)
  const query = new URL(args.request.url).searchParams
  const importId = query.get(FILE)
  if (!user || importId === null) return { preview: null, problem: null }
  const after = query.get(AFTER)
  const asked = apiOf(args)('GET /api/import/:importId', {
    params: { importId },
    query: after === null ? {} : { after },
  })
  const { response, problem } = await attempt(asked)
  // The file is too old, or another one was sent since.
  if (problem && ![400, 404, 409].includes(problem.status)) throw problem
  return { preview: response ?? null, problem: problem?.message ?? null }
}

/** Shows what would become of a chosen file, or adds its listings. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  keepTyped(args)
  const ask = apiOf(args)
  const [intent, importId = ''] = String(form.get('intent')).split(' ')
  if (intent === 'yes') {
    const { problem } = await attempt(ask('POST /api/import/:importId', { params: { importId } }))
    return problem ? refused(problem) : leadsTo('/drafts', 'imported')
  }
  const file = form.get('file')
  if (!(file instanceof File) || file.size === 0)
    return data<Refusal>({ problems: ['Choose a file first'] }, 400)
  const { response, problem } = await attempt(ask('POST /api/import/', { body: { file } }))
  return problem ? refused(problem) : redirect(`${IMPORT_PAGE}?${FILE}=${response.id}`)
}

export const handle = { title: () => 'Move in from Etsy' }
