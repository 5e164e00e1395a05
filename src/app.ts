import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { accountRoutes } from '#accounts/routes.ts'
import { cartRoutes } from '#cart/routes.ts'
import { favouriteRoutes } from '#favourites/routes.ts'
import { feedRoutes } from '#feeds/routes.ts'
import { MAX_FILE_BYTES } from '#images/contract.ts'
import { imageRoutes } from '#images/routes.ts'
import { orderRoutes } from '#orders/routes.ts'
import { Problem } from '#problem'
import { productRoutes } from '#products/routes.ts'
import { reviewRoutes } from '#reviews/routes.ts'
import type { Config } from '#server/config.ts'
import type { Database, Opened } from '#server/database/database.ts'
import { Reads, type Replica } from '#server/database/replica.ts'
import { tellSlow } from '#server/database/statements.ts'
import type { Files } from '#server/files/files.ts'
import type { Made } from '#server/files/made.ts'
import { readForms } from '#server/files/upload.ts'
import { gatherBodies } from '#server/gates/body.ts'
import { limitConnections } from '#server/gates/connections.ts'
import {
  endConnections,
  holdBrowsers,
  refuseOtherSites,
  refuseSlowBodies,
  SMALL_BODY,
} from '#server/gates/gates.ts'
import { limitLargeBodies } from '#server/gates/large.ts'
import { shedLoad, turnAwayEarly } from '#server/gates/load.ts'
import { turnLoads } from '#server/gates/turns.ts'
import { healthRoutes } from '#server/health.ts'
import { readJson } from '#server/http.ts'
import { noteChanges } from '#server/kept/changes.ts'
import type { Kept } from '#server/kept/kept.ts'
import { readyAnswers } from '#server/kept/ready.ts'
import { anyMethod, refuseKnown, refuseOtherMethods } from '#server/methods.ts'
import { pageRoutes } from '#server/pages/pages.ts'
import { plainPage } from '#server/pages/plain.ts'
import type { PagesOf } from '#server/pages/renderer.ts'
import { speakForConnections, speakForErrors, speakForFramework } from '#server/problems.ts'
import { nameRequests, requestIds, tellsAll } from '#server/watching/requests.ts'
import { metricsRoute, noTally } from '#server/watching/scrape.ts'
import { type Traces, traceRequests } from '#server/watching/traces.ts'
import { shareRoutes } from '#share/routes.ts'
import { shopRoutes } from '#shops/routes.ts'

/** What never gets into the log; PostgreSQL tells in the detail of an error what stood in the row. */
const REDACTED = ['req.headers.cookie', 'req.headers.authorization', 'err.detail', 'err.where']

/** What the app stands on; main.ts starts them, tests bring their own. */
export interface Ground {
  config: Config
  db: Database
  /** Name → an open pool, for what is told of its statements. */
  pools?: Record<string, Opened>
  files: Files
  kept: Kept
  made: Made
  /** Where it is written down what happens while requests are answered. */
  traces?: Traces | undefined
  /** Where the log goes; standard output unless told. */
  log?: { write(line: string): void }
  /** A copy of the database, which may be asked for what everybody sees. */
  replica?: Replica
  /** The page renderer; without it the API is served alone. */
  pages?: PagesOf
}

/** The whole shop as one Fastify instance, not yet listening. This is the table of contents. */
export async function createApp({
  config,
  db,
  pools = {},
  files,
  kept,
  made,
  replica,
  traces,
  log,
  pages,
}: Ground): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    logger: { level: config.logLevel, redact: REDACTED, ...(log ? { stream: log } : {}) },
    genReqId: requestIds(config),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: (_address, hop) => hop < config.trustProxy,
    // A whole request, a photo over a slow line included. Bodies that trickle are ended sooner: refuseSlowBodies.
    requestTimeout: 300_000,
    // A body that nobody reads yet takes little memory, in however small pieces it comes.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000, highWaterMark: 16 * 1024 },
    // A socket that neither brings nor takes a byte for this long is ended: nobody reads the answer.
    connectionTimeout: 30_000,
    bodyLimit: SMALL_BODY,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) =>
      speakForFramework(
        error,
        request,
        reply,
        rendered && (status => plainPage(rendered.assets, status, '')),
      ),
    clientErrorHandler: speakForConnections,
  })
  app
    .decorate('config', config)
    .decorate('db', db)
    .decorate('files', files)
    .decorate('kept', kept)
    .decorate('made', made)
    .decorate('reads', new Reads(db, kept, replica))
    .decorate('loads', new Map(turnLoads))
  app.decorate('calls', new Map())
  limitConnections(app)

  // First: what is refused by the hooks below is shown as a page, which tells who looks at it.
  await app.register(cookie)
  nameRequests(app)
  if (traces) traceRequests(app, traces, pools)
  const watched =
    config.metrics && (await (await import('#server/watching/metrics.ts')).openMetrics(app, { pools, kept }))
  app
    .decorate('tally', watched?.tally ?? noTally)
    .decorate('answered', watched?.answered)
    .decorate('metrics', watched?.metrics)
  for (const { statements } of Object.values(pools)) tellSlow(app, statements)
  holdBrowsers(app)
  const rendered = await pages?.(app.server)
  refuseSlowBodies(app)
  const room = shedLoad(app)
  noteChanges(app)
  // Where each request is written down, each goes the whole way.
  if (!traces && !tellsAll(config)) readyAnswers(app, room)
  turnAwayEarly(app, room, rendered && plainPage(rendered.assets, 503, ''))
  gatherBodies(app)
  endConnections(app)
  limitLargeBodies(app)
  refuseOtherSites(app)
  speakForErrors(app)
  readJson(app)
  readForms(app, MAX_FILE_BYTES)

  healthRoutes(app)
  if (watched) metricsRoute(app, watched.metrics)
  accountRoutes(app)
  productRoutes(app)
  imageRoutes(app)
  shopRoutes(app)
  favouriteRoutes(app)
  cartRoutes(app)
  reviewRoutes(app)
  orderRoutes(app)
  feedRoutes(app)
  shareRoutes(app)
  refuseOtherMethods(app)
  app.route({
    method: anyMethod(app),
    url: '/api/*',
    handler: (request, reply) => {
      refuseKnown(request, reply)
      throw new Problem(404, 'There is nothing at this address')
    },
  })
  if (rendered) await app.register(pageRoutes, rendered)
  return app
}
