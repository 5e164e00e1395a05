import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ipSubnet } from '#platform/http/origin.ts'
import { consume, resetLimit, takeBack } from '#platform/http/rate-limit.ts'
import { DEMO } from './contract.ts'
import { isKnown } from './device-cookies.ts'
import { deviceTokenOf } from './session-cookie.ts'
import { hashOf } from './session-store.ts'

/** Forgets a try whose password was right. */
type Right = () => Promise<void>

/**
 * Counts a try at the password of an account, before the password is looked at. A browser that has logged into the account
 * is counted by itself, so that nobody else can keep it out. All others are counted by their network, and all networks
 * together. @throws Problem 429
 */
export async function countLogin(
  app: FastifyInstance,
  request: FastifyRequest,
  email: string,
): Promise<Right> {
  // Its password is known to everybody: counting would only let one visitor shut it for all others.
  if (app.config.demo && email.toLowerCase() === DEMO.email) return async () => {}
  const device = deviceTokenOf(request)
  const known = device !== undefined && (await isKnown(app.db, device, email))
  const subject = `${known ? nameOf(device) : ipSubnet(request.ip)} ${email}`
  await consume(app, 'guesses', subject)
  if (!known) await consume(app, 'account_guesses', email)
  return async () => {
    await resetLimit(app, 'guesses', subject)
    if (!known) await takeBack(app, 'account_guesses', email)
  }
}

/** As `countLogin`, for whoever is logged in: what others try at the login does not concern them. @throws Problem 429 */
export async function countChange(app: FastifyInstance, token: string): Promise<Right> {
  const subject = nameOf(token)
  await consume(app, 'guesses', subject)
  return () => resetLimit(app, 'guesses', subject)
}

/** What a cookie is called where it is counted: nobody who reads that can use it. */
const nameOf = (token: string) => hashOf(token).toString('hex')
