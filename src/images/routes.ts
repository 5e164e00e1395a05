import type { FastifyInstance } from 'fastify'
import { Problem } from '#problem'
import { allowOnly } from '#server/methods.ts'
import { IMAGES_PATH } from './view.ts'

const types: Record<string, string> = { webp: 'image/webp', pdf: 'application/pdf' }

/** Serves stored pictures. A name is never used twice, so browsers may keep the files for good. */
export function imageRoutes(app: FastifyInstance): void {
  const url = `${IMAGES_PATH}/:folder/:file`
  allowOnly(app, url, ['GET', 'HEAD'])
  app.get<{ Params: { folder: string; file: string } }>(url, async (request, reply) => {
    const { folder, file } = request.params
    const type = types[file.split('.').at(-1) ?? '']
    const found = type ? await app.files.open(folder, file) : undefined
    if (!type || !found) throw new Problem(404, 'There is no such picture')
    reply
      .type(type)
      .header('content-length', found.size)
      .header('cache-control', 'public, max-age=31536000, immutable')
    // A document is handed over as a file, never opened as part of the shop.
    if (type === 'application/pdf') {
      reply
        .header('content-disposition', 'attachment; filename="document.pdf"')
        .header('content-security-policy', "sandbox; default-src 'none'")
    }
    return reply.send(found.stream)
  })
}
