import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Id } from '#contract'
import { createApi } from '#platform/api/api.ts'
import { transaction } from '#platform/database/database.ts'
import { fromAnotherSite } from '#platform/http/csrf.ts'
import { ipSubnet } from '#platform/http/origin.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { Problem } from '#problem'
import type { Authenticated } from './accounts.ts'
import * as accounts from './accounts.ts'
import { refuseCommon } from './common-passwords.ts'
import { calls, DEMO, type User } from './contract.ts'
import { deleteDeviceCookies, deleteOldestCookies, remember } from './device-cookies.ts'
import { deviceOf } from './device-name.ts'
import { countChange, countLogin } from './login-limits.ts'
import { fromNowhere, isPrefetch } from './navigation.ts'
import { requireOwnAccount } from './own-account.ts'
import {
  clearCookie,
  deviceTokenOf,
  requireUser,
  setCookie,
  setDeviceCookie,
  tokenOf,
  viewer,
} from './session-cookie.ts'
import * as sessions from './session-store.ts'

/** Sign up, log in, log out, sessions, password. @param agreements what new members agree to */
export function accountRoutes(app: FastifyInstance, agreements: accounts.Agreements): void {
  const on = createApi(app, calls)
  const ownSession = async ({ params }: { params: { id: Id } }, request: FastifyRequest) =>
    sessions.requireOwnSession(app.db, (await requireOwnAccount(request)).id, params.id)
  const signedUp = app.counter('shop_signups_total', 'Accounts that were opened')
  const refused = app.counter('shop_refused_logins_total', 'Logins with a wrong password or for no account')

  on('GET /api/auth/', (_, request) => requireUser(request))

  on('GET /api/auth/session', async (_, request) => {
    const all = await viewer(request)
    if (!all) throw new Problem(401, 'Please log in')
    return all
  })

  on('POST /api/auth/login', async ({ body }, request, reply) => {
    await consume(app, 'logins', ipSubnet(request.ip))
    const right = await countLogin(app, request, body.email)
    const proved = await accounts.verifyLogin(app.db, body).catch(error => {
      if (error instanceof Problem) {
        refused()
        request.log.warn({ ip: request.ip }, 'refused: a wrong login')
      }
      throw error
    })
    // The demo password is public: it works only while the setting DEMO is on.
    const isDemo = proved.user.email === DEMO.email && body.password === DEMO.password
    if (isDemo && !app.config.demo) throw accounts.wrongLogin()
    await right()
    return startSession(request, reply, proved)
  })

  on('GET /api/auth/signup', async (_, db) => ({ pages: await agreements.asked(db) }))

  on('POST /api/auth/signup', async ({ body }, request, reply) => {
    await refuseCommon(app.config, body.password)
    await consume(app, 'signups', ipSubnet(request.ip))
    const user = await startSession(request, reply, await accounts.signUp(app.db, body, agreements), true)
    signedUp()
    return user
  })

  on('GET /api/auth/logout', async (_, request, reply) => {
    // A GET that changes state: links, pictures and prefetches from other sites must not log anybody out.
    if (fromAnotherSite(request) || fromNowhere(request) || isPrefetch(request)) {
      throw new Problem(403, 'Requests from another site are not accepted')
    }
    const token = tokenOf(request)
    if (token) await sessions.closeSession(app.db, token)
    clearCookie(reply)
    // A link without scripts asks for HTML: redirect home. The client asks for JSON.
    if (request.headers.accept?.includes('text/html')) reply.code(303).header('location', '/')
    return { message: 'Logged out' }
  })
  on('GET /api/auth/sessions', async (_, request) => {
    const { id, email } = await requireUser(request)
    const all = await sessions.sessionsOf(app.db, id, tokenOf(request) ?? '')
    // The demo account is shared: its sessions are not shown to each other.
    return { sessions: all.filter(session => session.current || email !== DEMO.email) }
  })

  on('DELETE /api/auth/sessions/:id', { guard: ownSession }, async ({ params }, request) => {
    await sessions.endSession(app.db, (await requireOwnAccount(request)).id, params.id)
    return { message: 'Logged out there' }
  })

  on(
    'DELETE /api/auth/sessions',
    { guard: (_, request) => requireOwnAccount(request) },
    async (_, request, reply) => {
      const { id } = await requireOwnAccount(request)
      await sessions.endSessions(app.db, id)
      await deleteDeviceCookies(app.db, id)
      clearCookie(reply)
      return { message: 'Logged out everywhere' }
    },
  )

  on(
    'POST /api/auth/password',
    { guard: (_, request) => requireOwnAccount(request) },
    async ({ body }, request, reply) => {
      const user = await requireOwnAccount(request)
      await refuseCommon(app.config, body.new_password)
      const right = await countChange(app, tokenOf(request) ?? '')
      const password_hash = await accounts.changePassword(
        app.db,
        user.id,
        body.current_password,
        body.new_password,
        deviceOf(request.headers['user-agent']),
      )
      await right()
      await startSession(request, reply, { user, password_hash }, true)
      return { message: 'Password changed' }
    },
  )
}

/**
 * Opens a session with a new token and ends the browser's old one.
 * @param isOwn as for `remember`
 * @throws Problem 401 if the password was changed at the same moment
 */
export async function startSession(
  request: FastifyRequest,
  reply: FastifyReply,
  { user, password_hash }: Authenticated,
  isOwn = false,
): Promise<User> {
  const { db } = request.server
  const old = tokenOf(request)
  if (old) await sessions.closeSession(db, old)
  const device = deviceOf(request.headers['user-agent'])
  // Together: no session of a new device without the letter about it.
  const { sessionToken, deviceToken } = await transaction(db, async db => {
    const sessionToken = await sessions.openSession(db, user.id, password_hash, device)
    if (!sessionToken) throw accounts.wrongLogin()
    // The demo account is shared, so it needs no device cookie.
    const isShared = user.email === DEMO.email
    const deviceToken = isShared
      ? undefined
      : await remember(db, user.id, device, deviceTokenOf(request), isOwn)
    return { sessionToken, deviceToken }
  })
  setCookie(reply, sessionToken)
  if (deviceToken) {
    setDeviceCookie(reply, deviceToken)
    await deleteOldestCookies(db, user.id)
  }
  request.log.info({ user: user.id, ip: request.ip }, 'login')
  return user
}
