import type { FastifyRequest } from 'fastify'
import { Problem } from '#problem'
import { DEMO, type User } from './contract.ts'
import { requireUser } from './session-cookie.ts'

/** The logged-in user, unless it is the demo account. @throws Problem 401 for a visitor, 403 for the demo account */
export async function requireOwnAccount(request: FastifyRequest): Promise<User> {
  const user = await requireUser(request)
  if (user.email === DEMO.email) throw new Problem(403, 'The demo account is everybody’s: it stays as it is')
  return user
}
