import type { FastifyInstance } from 'fastify'
import { Problem } from '#problem'
import { isNamed } from '#server/etag.ts'
import { allowOnly } from '#server/methods.ts'
import { IMAGES_PATH, PICTURE_CACHING } from './view.ts'

const types: Record<string, string> = { webp: 'image/webp', pdf: 'application/pdf' }

/** Serves stored pictures. A name is never used twice: the address alone says what is there, as long as it is there. */
export function imageRoutes(app: FastifyInstance): void {
  const url = `${IMAGES_PATH}/:folder/:file`
  allowOnly(app, url, ['GET', 'HEAD'])
  app.get<{ Params: { folder: string; file: string } }>(url, async (request, reply) => {
    const { folder, file } = request.params
    const type = types[file.split('.').at(-1) ?? '']
    const found = type ? await app.files.open(folder, file) : undefined
    if (!type || !found) throw new Problem(404, 'There is no such picture')
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
