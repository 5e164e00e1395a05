import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { relyingPartyOf } from '#accounts/relying-party.ts'
import { currentUser, tokenOf, wasSignedIn } from '#accounts/session-cookie.ts'
import { MAX_FILE_BYTES, NO_FILE, TOO_LARGE } from '#images/contract.ts'
import { IMAGES_PATH } from '#images/dto.ts'
import { linksOf } from '#pages/links.ts'
import { acceptJson } from '#platform/api/api.ts'
import { trackEpoch } from '#platform/cache/request-cache.ts'
import type { ResponseCache } from '#platform/cache/response-cache.ts'
import type { Config } from '#platform/config/config.ts'
import type { Database, OpenPool } from '#platform/database/database.ts'
import { type Replica, readRouter } from '#platform/database/replica.ts'
import { joinBodyChunks } from '#platform/http/body.ts'
import { limitLargeBodies, SMALL_BODY } from '#platform/http/body-limits.ts'
import { limitLoads } from '#platform/http/concurrency-limit.ts'
import { limitConnections } from '#platform/http/connection-limit.ts'
import { refuseOtherSites } from '#platform/http/csrf.ts'
import {
  clientErrorHandler,
  frameworkErrors,
  refuseUnknown,
  registerErrorHandler,
} from '#platform/http/error-handler.ts'
import { closeGracefully } from '#platform/http/graceful-close.ts'
import { healthRoutes } from '#platform/http/health.ts'
import { serverFactory } from '#platform/http/http-server.ts'
import { rejectBeforeRouting, shedLoad } from '#platform/http/load-shedding.ts'
import { ALL_METHODS, refuseOtherMethods, supportAllMethods } from '#platform/http/method-not-allowed.ts'
import { metricsRoute } from '#platform/http/metrics-route.ts'
import { serveFromCacheEarly } from '#platform/http/response-fastpath.ts'
import { setSecurityHeaders } from '#platform/http/security-headers.ts'
import { refuseSlowBodies } from '#platform/http/slow-body-timeout.ts'
import { acceptUploads } from '#platform/http/upload.ts'
import { OFF_PATH } from '#platform/mail/unsubscribe.ts'
import { logSlowQueries } from '#platform/observability/query-log.ts'
import { logsResponses, requestIds, trackRequests } from '#platform/observability/request-context.ts'
import type { Traces } from '#platform/observability/traces.ts'
import { pageRoutes } from '#platform/ssr/pages.ts'
import type { OpenPages } from '#platform/ssr/renderer.ts'
import type { DerivedFileCache } from '#platform/storage/derived-file-cache.ts'
import type { Files } from '#platform/storage/files.ts'
import { searchCost } from '#search/search-cost.ts'
import { brandOf, readBrand } from '#site/brand.ts'
import { staticErrorPage } from '#site/static-error-page.ts'
import { featureRoutes } from './feature-routes.ts'

/** Routes of forms with a file. */
const FILE_FORMS = [
  '/products/new',
  '/products/:productId/edit',
  '/drafts/:draftId',
  '/settings/shop',
  '/settings/policies',
  '/import',
  '/operate/pages/:slug',
  '/operate/brand',
]
/** Routes of forms that mail services send for their users. */
const FORMS_FROM_ANYWHERE = [`${OFF_PATH}/:token`]
/** Of the other fields of a form with a file. */
const FIELDS_BYTES = 1024 * 1024

const isMultipart = ({ headers }: FastifyRequest) =>
  /^multipart\/form-data\b/i.test(headers['content-type'] ?? '')

/** Not logged; the detail of a PostgreSQL error contains values of rows. */
const REDACTED = ['req.headers.cookie', 'req.headers.authorization', 'err.detail', 'err.where']

/** Dependencies of the app. `serve.ts` opens them, in tests too. */
export interface AppDeps {
  config: Config
  db: Database
  /** Name → open pool, for metrics of its statements. */
  pools: Record<string, OpenPool>
  files: Files
  /** Files that have no public address. */
  privateFiles: Files
  cache: ResponseCache
  derivedFiles: DerivedFileCache
  /** Receives a trace of every request. */
  traces?: Traces | undefined
  /** Destination of the log; default: standard output. */
  logStream?: { write(line: string): void } | undefined
  /** Read replica for public data. */
  replica?: Replica
  pages: OpenPages
}

/** The whole shop as one Fastify instance, not yet listening. Its routes: feature-routes.ts. */
export async function createApp({
  config,
  db,
  pools,
  files,
  privateFiles,
  cache,
  derivedFiles,
  replica,
  traces,
  logStream,
  pages,
}: AppDeps): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    logger: { level: config.logLevel, redact: REDACTED, ...(logStream ? { stream: logStream } : {}) },
    genReqId: requestIds(config),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: (_address, hop) => hop < config.trustProxy,
    serverFactory,
    bodyLimit: SMALL_BODY,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) =>
      frameworkErrors(error, request, reply, status => errorPage(status, '')),
    clientErrorHandler,
  })
  const errorPage = (status: number, requestId: string) =>
    staticErrorPage(app.pages.assets, app.brand.latest, status, requestId)
  app
    .decorate('config', config)
    .decorate('db', db)
    .decorate('files', files)
    .decorate('privateFiles', privateFiles)
    .decorate('cache', cache)
    .decorate('derivedFiles', derivedFiles)
    .decorate('readPublic', readRouter(db, cache, replica))
    .decorate('loads', new Map(limitLoads))
  app.decorate('calls', new Map()).decorate('brand', { latest: await readBrand(db) })
  limitConnections(app)

  // First: the error pages of the hooks below show the viewer.
  await app.register(cookie)
  trackRequests(app)
  const statements = Object.values(pools).map(({ statements }) => statements)
  traces?.register(app, statements)
  const instruments =
    config.metrics && (await import('#platform/observability/metrics.ts')).openMetrics(app, { pools, cache })
  app
    .decorate('counter', instruments?.counter ?? (() => () => {}))
    .decorate('gauge', instruments?.gauge ?? (() => {}))
    .decorate('observeRequest', instruments?.observeRequest)
    .decorate('metrics', instruments?.metrics)
  for (const each of statements) logSlowQueries(app, each)
  setSecurityHeaders(app)
  app.decorate('pages', await pages(app.server))
  refuseSlowBodies(app)
  const queue = shedLoad(app, searchCost)
  trackEpoch(app)
  // With traces or a complete log, every request passes through the framework.
  if (!traces && !logsResponses(config)) serveFromCacheEarly(app, queue)
  // Except images: only their route knows which ones are cheap.
  rejectBeforeRouting(app, queue, () => errorPage(503, ''), `${IMAGES_PATH}/`)
  joinBodyChunks(app)
  closeGracefully(app)
  limitLargeBodies(app)
  refuseOtherSites(app)
  registerErrorHandler(app)
  acceptJson(app)
  acceptUploads(app, { field: 'image', maxBytes: MAX_FILE_BYTES, tooLarge: TOO_LARGE, missing: NO_FILE })

  healthRoutes(app)
  const { port: metricsPort, token } = config.metrics ?? {}
  if (instruments && metricsPort === undefined) metricsRoute(app, instruments.metrics, token)
  featureRoutes(app)
  supportAllMethods(app)
  refuseOtherMethods(app, app.calls)
  app.route({
    method: ALL_METHODS,
    url: '/api/*',
    handler: refuseUnknown,
  })
  const fileForm = {
    bodyLimit: MAX_FILE_BYTES + FIELDS_BYTES,
    config: {
      large: (request: FastifyRequest) => isMultipart(request) && tokenOf(request) !== undefined,
      sender: currentUser,
      hasEndedSession: wasSignedIn,
    },
  }
  const forms = [
    ...FILE_FORMS.map(url => ({ url, ...fileForm })),
    ...FORMS_FROM_ANYWHERE.map(url => ({ url, config: { fromAnywhere: true } })),
  ]
  const shop = async (request: FastifyRequest, isRefused: boolean) => ({
    demo: config.demo,
    passkeys: relyingPartyOf(request) !== undefined,
    ownListings: config.ownListings,
    brand: isRefused ? app.brand.latest : await brandOf(request),
  })
  const latestBrand = () => app.brand.latest
  await app.register(pageRoutes, { ...app.pages, shop, latestBrand, errorPage, links: linksOf, forms })
  return app
}
