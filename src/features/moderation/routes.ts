import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findByUsername } from '#accounts/find-user.ts'
import { currentUser, requireUser, userGuard } from '#accounts/session-cookie.ts'
import type { Id } from '#contract'
import { createApi } from '#platform/api/api.ts'
import { ipSubnet } from '#platform/http/origin.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { calls } from './contract.ts'
import * as notices from './notices.ts'
import type { NewReport, Subject } from './notices-contract.ts'
import * as objections from './objections.ts'
import { operateRoutes } from './operate-routes.ts'
import * as reports from './reports.ts'
import { setupRoutes } from './setup-routes.ts'

/** Reports by anybody, decisions and objections to them. */
export function moderationRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)

  const report = async (request: FastifyRequest, about: Subject, id: Id, body: NewReport) => {
    const user = await currentUser(request)
    await consume(app, 'reports', ipSubnet(request.ip))
    const added = await reports.add(app.db, user?.id, { about, id }, body)
    return { id: added, message: `Thank you. Your report has the number ${added}` }
  }
  on('POST /api/products/:id/reports', ({ params, body }, request) =>
    report(request, 'listing', params.id, body),
  )
  on('POST /api/reviews/:id/reports', ({ params, body }, request) =>
    report(request, 'review', params.id, body),
  )
  on('POST /api/reviews/:id/reply/reports', ({ params, body }, request) =>
    report(request, 'reply', params.id, body),
  )
  on('POST /api/shops/:username/reports', async ({ params, body }, request) => {
    const maker = await findByUsername(app.db, params.username)
    // No user has this number.
    return report(request, 'shop', maker ?? 0, body)
  })

  on('GET /api/notices/', { guard: userGuard() }, async ({ query }, request) =>
    notices.list(app.db, (await requireUser(request)).id, query),
  )

  on(
    'POST /api/notices/:decisionId/objection',
    {
      guard: async ({ params }, request) =>
        notices.requireOwn(app.db, (await requireUser(request)).id, params.decisionId),
    },
    async ({ params, body }, request) => {
      const user = await requireUser(request)
      await consume(app, 'changes', user.id)
      return objections.object(app.db, user.id, params.decisionId, body.words)
    },
  )

  operateRoutes(app)
  setupRoutes(app)
}
