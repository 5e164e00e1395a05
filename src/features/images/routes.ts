import type { FastifyInstance, FastifyRequest } from 'fastify'
import { matchesEtag } from '#platform/http/encoded-text.ts'
import { allowOnly } from '#platform/http/method-not-allowed.ts'
import { CROSS_ORIGIN } from '#platform/http/security-headers.ts'
import { isFolderName } from '#platform/storage/files.ts'
import { Problem } from '#problem'
import { IMAGES_PATH, PICTURE_CACHING } from './dto.ts'
import { maySeeHidden, VisibilityCache } from './visibility.ts'

const types: Record<string, string> = { webp: 'image/webp', pdf: 'application/pdf' }

type Named = { Params: { folder: string; file: string } }

const missing = () => new Problem(404, 'There is no such picture')

/**
 * Serves stored images. Names are never reused, so the address identifies the content. Unknown folders are looked up
 * in the database first: asking the object store for made-up names would cost time and money. A hidden image is given to its
 * owner and to operators alone.
 */
export function imageRoutes(app: FastifyInstance): void {
  const url = `${IMAGES_PATH}/:folder/:file`
  allowOnly(app, url, ['GET', 'HEAD'])
  const visibilities = new VisibilityCache()
  const cost = ({ params }: FastifyRequest) =>
    visibilities.wasPublic((params as Named['Params']).folder) ? 0 : 1
  app.get<Named>(url, { config: { cost } }, async (request, reply) => {
    const { folder, file } = request.params
    const type = types[file.split('.').at(-1) ?? '']
    if (!type || !isFolderName(folder)) throw missing()
    const visibility = await visibilities.get(app.db, request.cacheEpoch, folder)
    if (!visibility) throw missing()
    const { owner, isHidden } = visibility
    if (isHidden && !(await maySeeHidden(request, owner))) throw missing()
    const found = await app.files.open(folder, file)
    if (!found) throw missing()
    visibilities.set(request.cacheEpoch, folder, visibility)
    const etag = `W/"${folder}"`
    reply.header('cache-control', isHidden ? 'private, no-store' : PICTURE_CACHING).header('etag', etag)
    if (!isHidden) reply.header('cross-origin-resource-policy', CROSS_ORIGIN)
    if (matchesEtag(request.headers['if-none-match'], etag)) {
      found.stream.destroy()
      return reply.code(304).send()
    }
    reply.type(type).header('content-length', found.size)
    // A document is a download; the browser must not open it on the shop's origin.
    if (type === 'application/pdf') {
      reply
        .header('content-disposition', 'attachment; filename="document.pdf"')
        .header('content-security-policy', "sandbox; default-src 'none'")
    }
    return reply.send(found.stream)
  })
}
