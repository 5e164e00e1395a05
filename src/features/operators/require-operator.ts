import type { FastifyReply, FastifyRequest } from 'fastify'
import type { User } from '#accounts/contract.ts'
import { isSecure, requireUser, tokenOf } from '#accounts/session-cookie.ts'
import type { Config } from '#platform/config/config.ts'
import { Problem } from '#problem'
import { OPERATOR_HOURS, PLEASE_CONFIRM } from './contract.ts'
import { isOperator } from './operators.ts'
import { isOpen } from './sessions.ts'

/** As the session cookie: no other host or path can set it. `SameSite=Strict`: no link of another site sends it. */
const cookieName = (config: Config) => (isSecure(config) ? '__Host-operator' : 'operator')

export function setOperatorCookie(reply: FastifyReply, token: string): void {
  const { config } = reply.server
  // Later calls of this request use it.
  reply.request.cookies[cookieName(config)] = token
  reply.setCookie(cookieName(config), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure(config),
    maxAge: token === '' ? 0 : OPERATOR_HOURS * 60 * 60,
  })
}

/** Whether the user of this request has reauthenticated in this browser, and the operator session has not expired. */
export async function hasReauthenticated(request: FastifyRequest): Promise<boolean> {
  const { config, db } = request.server
  const [token, own] = [tokenOf(request), request.cookies[cookieName(config)]]
  return token !== undefined && own !== undefined && own !== '' && (await isOpen(db, token, own))
}

/**
 * The operator of a request, even before reauthentication.
 * @throws Problem 401 for a visitor, 404 for other users: to them the pages of operators do not exist
 */
export async function requireOperatorAccount(request: FastifyRequest): Promise<User> {
  const user = await requireUser(request)
  if (!(await isOperator(request.server.db, user.id)))
    throw new Problem(404, 'There is nothing at this address')
  return user
}

/** The operator of a request. @throws Problem as above, and 403 before reauthentication */
export async function requireOperator(request: FastifyRequest): Promise<User> {
  const user = await requireOperatorAccount(request)
  if (!(await hasReauthenticated(request))) throw new Problem(403, PLEASE_CONFIRM)
  return user
}

/** Guard of the calls of operators. */
export const operatorGuard = {
  guard: (_: unknown, request: FastifyRequest) => requireOperator(request),
}
