import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isUnavailable } from '#platform/database/database.ts'
import { isNamed } from '#platform/http/encoded-text.ts'
import { allowOnly } from '#platform/http/method-not-allowed.ts'
import { isFolderName } from '#platform/storage/files.ts'
import { Problem } from '#problem'
import { IMAGES_PATH, PICTURE_CACHING } from './dto.ts'
import { hasFolder } from './images.ts'

const types: Record<string, string> = { webp: 'image/webp', pdf: 'application/pdf' }

/** Size of the cache of known folders; about 1 MB. */
const MAX_KNOWN = 10_000

type Named = { Params: { folder: string; file: string } }

/**
 * Serves stored images. Names are never reused, so the address identifies the content. Unknown folders are looked up
 * in the database first: asking the object store for made-up names would cost time and money.
 */
export function imageRoutes(app: FastifyInstance): void {
  const url = `${IMAGES_PATH}/:folder/:file`
  allowOnly(app, url, ['GET', 'HEAD'])
  const known = new Set<string>()
  const isKnown = async (folder: string) => {
    if (known.has(folder)) return true
    if (!isFolderName(folder)) return false
    return hasFolder(app.db, folder).catch(error => {
      // Images are served while the database is unavailable.
      if (isUnavailable(error)) return true
      throw error
    })
  }
  const remember = (folder: string) => {
    known.delete(folder)
    known.add(folder)
    const [oldest] = known
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
  }
  const cost = ({ params }: FastifyRequest) => (known.has((params as Named['Params']).folder) ? 0 : 1)
  app.get<Named>(url, { config: { cost } }, async (request, reply) => {
    const { folder, file } = request.params
    const type = types[file.split('.').at(-1) ?? '']
    const found = type && (await isKnown(folder)) ? await app.files.open(folder, file) : undefined
    if (!type || !found) throw new Problem(404, 'There is no such picture')
    remember(folder)
    const etag = `W/"${folder}"`
    reply.header('cache-control', PICTURE_CACHING).header('etag', etag)
    if (isNamed(request.headers['if-none-match'], etag)) {
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
