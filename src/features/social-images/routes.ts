import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Brand } from '#brand'
import { PICTURE_CACHING } from '#images/dto.ts'
import { limitConcurrency } from '#platform/http/concurrency-limit.ts'
import { allowOnly } from '#platform/http/method-not-allowed.ts'
import { CROSS_ORIGIN } from '#platform/http/security-headers.ts'
import { Problem } from '#problem'
import { CATEGORIES, categoryPath } from '#products/categories.ts'
import type { Listing } from '#products/contract.ts'
import type { Shop } from '#sellers/contract.ts'
import { brandOf } from '#site/brand.ts'
import {
  categoryShare,
  homeShare,
  listingShare,
  type Share,
  sellerShare,
  shareImagePath,
} from './contract.ts'
import { draw } from './draw.ts'

const limited = limitConcurrency({
  name: 'share',
  maxRunning: 1,
  maxWaiting: 32,
  busy: 'Too many pictures are being drawn; please try again',
})

/** Cost in the admission queue of a picture, in small requests, beside the concurrency limit of drawing. */
const COST = 3

/** Pictures for link previews: drawn on first request, then cached on disk. */
export function shareRoutes(app: FastifyInstance): void {
  const url = '/share/:kind/:file'
  allowOnly(app, url, ['GET', 'HEAD'])
  app.get<{ Params: { kind: string; file: string } }>(
    url,
    { config: { cost: () => COST } },
    async (request, reply) => {
      const { kind, file } = request.params
      const [, of] = /^(.+)-[0-9a-z]{2,14}\.jpg$/.exec(file) ?? []
      const brand = await brandOf(request)
      const share = of === undefined ? undefined : await found(kind, of, brand, request, reply)
      if (!share) throw new Problem(404, 'There is no such picture')
      reply.header('cross-origin-resource-policy', CROSS_ORIGIN)
      // Draws only the present version; older addresses redirect to it.
      const address = shareImagePath(share, brand)
      if (address !== `/share/${kind}/${encodeURIComponent(file.slice(0, -4))}.jpg`)
        return reply.header('cache-control', 'no-cache').redirect(address, 302)
      const name = createHash('sha256').update(address).update(JSON.stringify(share.card)).digest('hex')
      const picture = await app.derivedFiles.get(name, () =>
        limited(async () => {
          const photo = await fileOf(app, share.card.photo)
          const logo = await fileOf(app, brand.logo?.url)
          return draw(share.card, brand, { photo, logo })
        }),
      )
      // Contains the photo: when that is deleted, both go.
      return reply.type('image/jpeg').header('cache-control', PICTURE_CACHING).send(picture)
    },
  )
}

/** The share of an address, from public data. @throws Problem 404 */
async function found(
  kind: string,
  of: string,
  brand: Brand,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Share | undefined> {
  const ask = (key: string, params: object) => request.server.calls.get(key)?.({ params }, request, reply)
  if (kind === 'listings') return listingShare((await ask('GET /api/products/:id', { id: of })) as Listing)
  if (kind === 'makers') return sellerShare((await ask('GET /api/shops/:username', { username: of })) as Shop)
  if (kind === 'shop') return homeShare(brand)
  if (kind !== 'categories') return undefined
  const category = CATEGORIES.find(name => categoryPath(name) === `/categories/${of}`)
  return category && categoryShare(category)
}

/** The file of a photo. If it is gone, the card is drawn without. */
async function fileOf(app: FastifyInstance, address: string | null | undefined): Promise<Buffer | undefined> {
  const [, folder = '', name = ''] = /^\/images\/([^/]+)\/([^/]+)$/.exec(address ?? '') ?? []
  const file = folder ? await app.files.open(folder, name) : undefined
  return file && buffer(file.stream)
}
