import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#platform/config/config.ts'
import { Problem } from '#problem'
import type { User } from './contract.ts'
import { DEVICE_DAYS } from './device-cookies.ts'
import { findByToken, findViewer, hasEnded, SESSION_DAYS, type Viewer } from './session-store.ts'

/** One session lookup per request, however many calls a page makes. */
const sessionLookups = new WeakMap<FastifyRequest, Promise<User | undefined>>()
const viewerLookups = new WeakMap<FastifyRequest, Promise<Viewer | undefined>>()

/** The user of the session, undefined for a visitor. */
export function currentUser(request: FastifyRequest): Promise<User | undefined> {
  let lookup = sessionLookups.get(request)
  if (!lookup) {
    const token = tokenOf(request)
    if (!token) lookup = Promise.resolve(undefined)
    else if (isPageView(request)) lookup = viewer(request).then(all => all?.user)
    else lookup = findByToken(request.server.db, token)
    sessionLookups.set(request, lookup)
  }
  return lookup
}

/** A page view also needs the viewer, which the same query returns. A form first changes what is shown. */
const isPageView = ({ method, url }: FastifyRequest) => method === 'GET' && !url.startsWith('/api/')

/** The user with what every page shows of them, undefined for a visitor. */
export function viewer(request: FastifyRequest): Promise<Viewer | undefined> {
  let lookup = viewerLookups.get(request)
  if (!lookup) {
    const token = tokenOf(request)
    lookup = token ? findViewer(request.server.db, token) : Promise.resolve(undefined)
    viewerLookups.set(request, lookup)
  }
  return lookup
}

/** The user of the session. @throws Problem 401 with `message` for a visitor */
export async function requireUser(request: FastifyRequest, message = 'Please log in'): Promise<User> {
  const user = await currentUser(request)
  if (!user) throw new Problem(401, message)
  return user
}

/** Guard of a call that requires a login. @param message of the 401 */
export const userGuard = (message?: string) => (_: unknown, request: FastifyRequest) =>
  requireUser(request, message)

/** Whether the session of a request without a login ended less than a day ago, or has expired and is still stored. */
export async function wasSignedIn(request: FastifyRequest): Promise<boolean> {
  const token = tokenOf(request)
  return token !== undefined && (await hasEnded(request.server.db, token))
}

/** On https the prefix `__Host-` makes browsers refuse the cookie from any other host or path. */
export const cookieName = (config: Config): string => (isSecure(config) ? '__Host-session' : 'session')
/** Whether the shop is reached by https. */
export const isSecure = ({ publicUrl }: Config) => publicUrl?.startsWith('https:') ?? false

/** The session token a request carries. */
export const tokenOf = (request: FastifyRequest): string | undefined =>
  request.cookies[cookieName(request.server.config)]

/** Sets the session cookie: HttpOnly and SameSite. */
export function setCookie(reply: FastifyReply, token: string): void {
  write(reply, token, SESSION_DAYS * 24 * 60 * 60)
  // Drops the lookup of the previous session.
  dropLookups(reply.request)
}

/** Clears the session cookie. */
export function clearCookie(reply: FastifyReply): void {
  write(reply, '', 0)
  dropLookups(reply.request)
}

function dropLookups(request: FastifyRequest): void {
  sessionLookups.delete(request)
  viewerLookups.delete(request)
}

/** Paths that get the device cookie: what logs in, as a call and as a page. */
const LOGINS = [
  ...['/api/auth/login', '/api/auth/signup', '/api/auth/password', '/api/auth/reset-password'],
  ...['/login', '/signup', '/settings/security', '/reset-password'],
]
/** `__Host-` does not allow a path, so the prefix is `__Secure-`. */
const deviceCookie = (config: Config) => (isSecure(config) ? '__Secure-device' : 'device')

/** The device cookie of the request. */
export const deviceTokenOf = (request: FastifyRequest): string | undefined =>
  request.cookies[deviceCookie(request.server.config)]

/** Sets the device cookie, which a logout does not clear. */
export function setDeviceCookie(reply: FastifyReply, token: string): void {
  const { config } = reply.server
  const flags = { httpOnly: true, sameSite: 'strict', secure: isSecure(config) } as const
  for (const path of LOGINS)
    reply.setCookie(deviceCookie(config), token, { ...flags, path, maxAge: DEVICE_DAYS * 24 * 60 * 60 })
}

function write(reply: FastifyReply, value: string, maxAge: number): void {
  const { config } = reply.server
  const name = cookieName(config)
  // Later calls of this request use the new session.
  reply.request.cookies[name] = value
  reply.setCookie(name, value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(config),
    maxAge,
  })
}
