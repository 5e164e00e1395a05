import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isUnavailable } from '#platform/database/database.ts'
import { isNamed } from '#platform/http/etag.ts'
import { allowOnly } from '#platform/http/method-not-allowed.ts'
import { isFolderName } from '#platform/storage/files.ts'
import { Problem } from '#problem'
import { IMAGES_PATH, PICTURE_CACHING } from './dto.ts'
import { hasFolder } from './images.ts'

const types: Record<string, string> = { webp: 'image/webp', pdf: 'application/pdf' }

/** Folders that are known to be there; about 1 MB. */
const MOST_KNOWN = 10_000

type Named = { Params: { folder: string; file: string } }

/**
 * Serves stored pictures. A name is never used twice: the address alone says what is there, as long as it is there. A folder
 * that nobody has asked for before is looked up in the database: to ask a store for names that somebody made up takes time
 * and costs money.
 */
export function imageRoutes(app: FastifyInstance): void {
  const url = `${IMAGES_PATH}/:folder/:file`
  allowOnly(app, url, ['GET', 'HEAD'])
  const known = new Set<string>()
  const isThere = async (folder: string) => {
    if (known.has(folder)) return true
    if (!isFolderName(folder)) return false
    return hasFolder(app.db, folder).catch(error => {
      // Pictures are shown while the database is away.
      if (isUnavailable(error)) return true
      throw error
    })
  }
  const remember = (folder: string) => {
    known.delete(folder)
    known.add(folder)
    const [oldest] = known
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest)
  }
  const cost = ({ params }: FastifyRequest) => (known.has((params as Named['Params']).folder) ? 0 : 1)
  app.get<Named>(url, { config: { cost } }, async (request, reply) => {
    const { folder, file } = request.params
    const type = types[file.split('.').at(-1) ?? '']
    const found = type && (await isThere(folder)) ? await app.files.open(folder, file) : undefined
    if (!type || !found) throw new Problem(404, 'There is no such picture')
    remember(folder)
    const etag = `W/"${folder}"`
    reply.header('cache-control', PICTURE_CACHING).header('etag', etag)
    if (isNamed(request.headers['if-none-match'], etag)) {
      found.stream.destroy()
      return reply.code(304).send()
    }
    reply.type(type).header('content-length', found.size)
    // A document is handed over as a file, never opened as part of the shop.
    if (type === 'application/pdf') {
      reply
        .header('content-disposition', 'attachment; filename="document.pdf"')
        .header('content-security-policy', "sandbox; default-src 'none'")
    }
    return reply.send(found.stream)
  })
}
