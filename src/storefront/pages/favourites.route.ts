import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from 'react-router'
import { loginTo, requireLogin, safeNext } from '#accounts/web/person.ts'
import { TOO_MANY } from '#favourites/contract.ts'
import { apiOf, attempt } from '#ui/api-client.ts'
import { accepted, withoutFlash } from '#ui/flash.ts'
import { pageAt } from '#ui/page-at.ts'
import { PAGE_SIZE } from '#ui/page-size.ts'

/** A page of the user's favourites. After a login that began at a heart, also the save. */
export async function loader(args: LoaderFunctionArgs) {
  await requireLogin(args)
  const ask = apiOf(args)
  const url = new URL(args.request.url)
  const { searchParams } = url
  const cursor = searchParams.get('cursor') ?? undefined
  const page = await pageAt(url, ask('GET /api/favourites/', { query: { limit: PAGE_SIZE, cursor } }))
  // The last favourite of a further page was removed.
  if (cursor !== undefined && page.products.length === 0) throw redirect('/favourites')
  const saved = page.products.find(({ id }) => String(id) === searchParams.get('save'))
  // On its first page: others have the same address.
  const failed = cursor === undefined ? searchParams.get('failed') : null
  const refusal = failed === 'full' ? TOO_MANY : failed && 'The piece could not be saved. It may be gone'
  return { ...page, saved: saved?.name, refusal }
}

/** Saves or removes a favourite; without scripts, redirects back. */
export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData()
  const ask = apiOf(args)
  const productId = String(form.get('id') ?? '0')
  const params = { productId }
  const { response, problem } = await attempt(
    form.get('saved') === 'yes'
      ? ask('PUT /api/favourites/:productId', { params })
      : ask('DELETE /api/favourites/:productId', { params }),
  )
  const back = form.get('back')
  // The save continues after the login.
  if (problem?.status === 401 && form.get('saved') === 'yes')
    throw redirect(loginTo(`/favourites?save=${productId}`))
  if (problem?.status === 401 && back !== null) throw redirect(loginTo(safeNext(back)))
  if (problem?.status === 409 && back !== null) throw redirect('/favourites?failed=full')
  if (problem && back !== null) throw problem
  if (problem) {
    const message = problem.status === 0 ? 'The connection was lost. Please try again' : problem.message
    return data({ message, failed: true }, problem.status || 503)
  }
  if (back !== null) {
    const { pathname, search, hash } = new URL(safeNext(back), args.request.url)
    const query = new URLSearchParams(withoutFlash(search))
    // What the page said of the heart before.
    for (const name of ['save', 'failed']) query.delete(name)
    throw redirect(pathname + (query.size > 0 ? `?${query}` : '') + hash)
  }
  return accepted(args.request, { message: response.message, failed: false })
}

export const handle = { title: () => 'Favorites' }
