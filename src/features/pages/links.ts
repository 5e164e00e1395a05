import type { FastifyRequest } from 'fastify'
import { cachedForAll } from '#platform/cache/request-cache.ts'
import { published } from './pages.ts'

/** Memory of the links in the cache, bytes: there are six at most. */
const BYTES = 1_000

/** Links to the published pages, below every page. They are in the cache, so that no request asks the database. */
export async function linksOf(request: FastifyRequest): Promise<{ path: string; name: string }[]> {
  try {
    const pages = await cachedForAll(request, 'links to pages', published, () => ({ bytes: BYTES }))
    return pages.map(({ slug, title }) => ({ path: `/${slug}`, name: title }))
  } catch (error) {
    // A page that needs no data is shown while the database does not answer.
    request.log.error({ err: error }, 'no links to pages')
    return []
  }
}
