import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { loginTo, personOf, safeNext } from '#accounts/web/person.ts'
import { PAGE_SIZE } from '#products/web/pageSize.ts'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted, withoutFlash } from '#ui/flash.ts'

/** A page of the person's favourites. After a login that began at a heart, also what it saved. */
export async function loader(args: LoaderFunctionArgs) {
  await personOf(args)
  const ask = apiOf(args)
  const { searchParams } = new URL(args.request.url)
  const cursor = searchParams.get('cursor') ?? undefined
  const page = await ask('GET /api/favourites/', { query: { limit: PAGE_SIZE, cursor } })
  // The last one of a further page was taken out.
  if (cursor !== undefined && page.products.length === 0) throw redirect('/favourites')
  const saved = page.products.find(({ id }) => String(id) === searchParams.get('save'))
  return { ...page, saved: saved?.name }
}

/** Fills or empties a heart; without scripts then back to where it was pressed. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const ask = apiOf(args)
  const productId = String(form.get('id') ?? '0')
  const params = { productId }
  const { answer, problem } = await attempt(
    form.get('saved') === 'yes'
      ? ask('PUT /api/favourites/:productId', { params })
      : ask('DELETE /api/favourites/:productId', { params }),
  )
  const back = form.get('back')
  // The login finishes what was begun here.
  if (problem?.status === 401 && form.get('saved') === 'yes')
    throw redirect(loginTo(`/favourites?save=${productId}`))
  if (problem && back !== null) throw problem
  if (problem) {
    const message = problem.status === 0 ? 'The connection was lost. Please try again' : problem.message
    return data({ message, failed: true }, problem.status || 503)
  }
  if (back !== null) {
    const { pathname, search, hash } = new URL(safeNext(back), args.request.url)
    throw redirect(pathname + withoutFlash(search) + hash)
  }
  return accepted(args.request, { message: answer.message, failed: false })
}

export const handle = { title: () => 'Favorites' }
