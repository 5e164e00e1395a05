import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { allowOnly } from '#platform/http/method-not-allowed.ts'
import { publicOrigin } from '#platform/http/origin.ts'
import { Problem } from '#problem'
import { brandOf } from '#site/brand.ts'
import { type Feed, feedOf, feedQuery } from './feed.ts'
import { atom, jsonFeed } from './formats.ts'
import { openSearch, robots } from './robots.ts'
import { sendCachedText } from './send-text.ts'
import * as sitemap from './sitemap.ts'

const XML = 'application/xml; charset=utf-8'
const FOR_AN_HOUR = 'public, max-age=3600'
/** Cost in the admission queue of a feed or a part of the sitemap, in small requests. */
const TEXT_COST = 2
const PART_COST = 20

/** Feeds, sitemaps, robots.txt and OpenSearch. */
export function feedRoutes(app: FastifyInstance): void {
  const on = (
    url: string,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
    cost = TEXT_COST,
  ) => {
    allowOnly(app, url, ['GET', 'HEAD'])
    app.get(url, { config: { cost: () => cost } }, handler)
  }
  const feed = (path: string, type: string, write: (feed: Feed) => string) =>
    on(path, (request, reply) => {
      const query = feedQuery(request.query as Record<string, unknown>)
      const address = { origin: publicOrigin(request), path }
      return sendCachedText(request, reply, {
        key: `${path} ${JSON.stringify(query)}`,
        type,
        make: async () => write(await feedOf(query, address, request, reply)),
      })
    })
  const text = (
    url: string,
    type: string,
    make: (origin: string, request: FastifyRequest) => string | Promise<string>,
  ) =>
    on(url, (request, reply) =>
      sendCachedText(request, reply, {
        key: url,
        type,
        make: async () => make(publicOrigin(request), request),
      }),
    )

  feed('/feeds/listings.atom', 'application/atom+xml; charset=utf-8', atom)
  feed('/feeds/listings.json', 'application/feed+json; charset=utf-8', jsonFeed)
  text('/robots.txt', 'text/plain; charset=utf-8', robots)
  text('/opensearch.xml', 'application/opensearchdescription+xml; charset=utf-8', async (origin, request) =>
    openSearch(origin, await brandOf(request)),
  )
  text('/sitemap.xml', XML, origin => app.readPublic(db => sitemap.index(db, origin)))
  text('/sitemaps/pages.xml', XML, origin => app.readPublic(db => sitemap.pages(db, origin)))
  on(
    '/sitemaps/:part',
    async (request, reply) => {
      const { part = '' } = request.params as { part?: string }
      const [, kind = '', number = ''] = /^(\w+)-(0|[1-9]\d{0,7})\.xml$/.exec(part) ?? []
      const texts =
        sitemap.isKind(kind) &&
        (await app.readPublic(db => sitemap.part(db, publicOrigin(request), kind, Number(number))))
      if (!texts) throw new Problem(404, 'There is no such part of the sitemap')
      reply.type(XML).header('cache-control', FOR_AN_HOUR)
      return request.method === 'HEAD'
        ? reply.send()
        : reply.send(Readable.from(texts, { objectMode: false }))
    },
    PART_COST,
  )
}
