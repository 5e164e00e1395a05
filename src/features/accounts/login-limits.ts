import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ipSubnet } from '#platform/http/origin.ts'
import { consume, refundUse, resetLimit } from '#platform/http/rate-limit.ts'
import { DEMO } from './contract.ts'
import { isKnown } from './device-cookies.ts'
import { deviceTokenOf } from './session-cookie.ts'
import { hashToken } from './tokens.ts'

/** Removes an attempt whose password was right from the count. */
type Right = () => Promise<void>

/**
 * Counts a login attempt before the password is verified. A browser with a device cookie of the account has its own
 * count, so that attackers cannot lock it out. Others are counted by network, and all networks together.
 * @throws Problem 429
 */
export async function countLogin(
  app: FastifyInstance,
  request: FastifyRequest,
  email: string,
): Promise<Right> {
  // The demo password is public: counting would let one visitor lock it for all others.
  if (app.config.demo && email.toLowerCase() === DEMO.email) return async () => {}
  const device = deviceTokenOf(request)
  const known = device !== undefined && (await isKnown(app.db, device, email))
  const subject = `${known ? nameOf(device) : ipSubnet(request.ip)} ${email}`
  await consume(app, 'guesses', subject)
  if (!known) await consume(app, 'account_guesses', email)
  return async () => {
    await resetLimit(app, 'guesses', subject)
    if (!known) await refundUse(app, 'account_guesses', email)
  }
}

/** As `countLogin`, for a logged-in user: failed logins elsewhere do not count. @throws Problem 429 */
export async function countChange(app: FastifyInstance, token: string): Promise<Right> {
  const subject = nameOf(token)
  await consume(app, 'guesses', subject)
  return () => resetLimit(app, 'guesses', subject)
}

/**
 * Uses a link of a letter. One that cannot be used counts as a guess of its network.
 * @param use checks the link, and throws if it cannot be used
 * @throws Problem 429, or as `use`
 */
export async function countLink<T>(app: FastifyInstance, ip: string, use: () => Promise<T>): Promise<T> {
  const network = ipSubnet(ip)
  await consume(app, 'link_guesses', network)
  const used = await use()
  await refundUse(app, 'link_guesses', network)
  return used
}

/** Deletes the counters of wrong passwords after the password was reset: they were tried on the old one. Other networks keep their count. */
export async function resetGuesses(
  app: FastifyInstance,
  request: FastifyRequest,
  email: string,
): Promise<void> {
  await resetLimit(app, 'guesses', `${ipSubnet(request.ip)} ${email}`)
  await resetLimit(app, 'account_guesses', email)
}

/** The hash of a cookie, so that the counted name cannot be used to log in. */
const nameOf = (token: string) => hashToken(token).toString('hex')
