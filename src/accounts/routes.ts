import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#problem'
import { fromAnotherSite } from '#server/gates.ts'
import { serving } from '#server/http.ts'
import { count, forgive } from '#server/limits.ts'
import * as accounts from './accounts.ts'
import { calls, DEMO, type User } from './contract.ts'
import { closeCookie, setCookie, signedIn, tokenOf } from './session.ts'

/** Who is there: sign up, log in, log out. */
export function accountRoutes(app: FastifyInstance): void {
  const on = serving(app, calls)

  on('GET /api/auth/', (_, request) => signedIn(request))

  on('POST /api/auth/login', async ({ body }, request, reply) => {
    await count(app, 'logins', request.ip)
    await count(app, 'guesses', body.email)
    const user = await accounts.logIn(app.db, body)
    // Everybody knows the demo account's password: it opens nothing once the demo is switched off.
    const isDemo = user.email === DEMO.email && body.password === DEMO.password
    if (isDemo && !app.config.demo) throw accounts.wrongLogin()
    await forgive(app, 'guesses', body.email)
    return enter(request, reply, user)
  })

  on('POST /api/auth/signup', async ({ body }, request, reply) => {
    await count(app, 'signups', request.ip)
    return enter(request, reply, await accounts.signUp(app.db, body))
  })

  on('GET /api/auth/logout', async (_, request, reply) => {
    // A GET that changes something: another site's link, picture or a browser's guess must not log anybody out.
    if (fromAnotherSite(request) || request.headers['sec-purpose']?.includes('prefetch')) {
      throw new Problem(403, 'Requests from another site are not accepted')
    }
    const token = tokenOf(request)
    if (token) await accounts.closeSession(app.db, token)
    closeCookie(reply)
    // A link without scripts leads here: send the person home. The client asks for JSON and gets it.
    if (request.headers.accept?.includes('text/html')) reply.code(303).header('location', '/')
    return { message: 'Logged out' }
  })
}

/** A new token at every login; the one the browser came with ends. */
async function enter(request: FastifyRequest, reply: FastifyReply, user: User): Promise<User> {
  const { db } = request.server
  const old = tokenOf(request)
  if (old) await accounts.closeSession(db, old)
  setCookie(reply, await accounts.openSession(db, user.id))
  return user
}
