import type { LoaderFunctionArgs } from 'react-router'
import { Problem } from '#problem'
import { PAGE_SIZE } from '#products/web/pageSize.ts'
import { apiOf } from '#web/api.ts'
import type { Handle } from '#web/head.ts'

/** A maker and a page of their listings. @throws Problem 404 where nobody has that username */
export async function loader(args: LoaderFunctionArgs) {
  const ask = apiOf(args)
  const url = new URL(args.request.url)
  const username = usernameIn(url)
  const cursor = url.searchParams.get('cursor') ?? undefined
  const [shop, page] = await Promise.all([
    ask('GET /api/shops/:username', { params: { username } }),
    ask('GET /api/products/', { query: { seller: username, limit: PAGE_SIZE, cursor } }),
  ])
  return { shop, ...page }
}

/** From the address itself: the router's parameters take a username's own '%2F' for a slash. */
function usernameIn({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname.split('/')[2] ?? '')
  } catch (cause) {
    throw new Problem(404, 'There is no such maker', { cause })
  }
}

export const handle: Handle<Awaited<ReturnType<typeof loader>>> = {
  title: ({ shop }) => shop.username,
  description: ({ shop: { username, words } }) => words || `What ${username} makes by hand.`,
}
