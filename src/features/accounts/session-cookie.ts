import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#platform/config/config.ts'
import { Problem } from '#problem'
import type { User } from './contract.ts'
import { DEVICE_DAYS } from './device-cookies.ts'
import { findByToken, findViewer, hasEnded, SESSION_DAYS, type Viewer } from './session-store.ts'

/** One look-up a request, however many calls a page makes. */
const lookUps = new WeakMap<FastifyRequest, Promise<User | undefined>>()
const shownLookUps = new WeakMap<FastifyRequest, Promise<Viewer | undefined>>()

/** The person a request comes from, undefined for a visitor. */
export function currentUser(request: FastifyRequest): Promise<User | undefined> {
  let lookUp = lookUps.get(request)
  if (!lookUp) {
    const token = tokenOf(request)
    if (!token) lookUp = Promise.resolve(undefined)
    else if (isLook(request)) lookUp = viewer(request).then(all => all?.user)
    else lookUp = findByToken(request.server.db, token)
    lookUps.set(request, lookUp)
  }
  return lookUp
}

/** A look at a page is going to show more of them, which is no further question. A form first changes what is shown. */
const isLook = ({ method, url }: FastifyRequest) => method === 'GET' && !url.startsWith('/api/')

/** The person with what every page shows of them, undefined for a visitor. */
export function viewer(request: FastifyRequest): Promise<Viewer | undefined> {
  let lookUp = shownLookUps.get(request)
  if (!lookUp) {
    const token = tokenOf(request)
    lookUp = token ? findViewer(request.server.db, token) : Promise.resolve(undefined)
    shownLookUps.set(request, lookUp)
  }
  return lookUp
}

/** The person a request comes from. @throws Problem 401 with `message` for a visitor */
export async function requireUser(request: FastifyRequest, message = 'Please log in'): Promise<User> {
  const user = await currentUser(request)
  if (!user) throw new Problem(401, message)
  return user
}

/** The guard of a call that everybody who is signed in may make. @param message what a visitor is told */
export const userGuard = (message?: string) => (_: unknown, request: FastifyRequest) =>
  requireUser(request, message)

/** Whether the session that a request names has ended, and a short while ago. */
export async function wasSignedIn(request: FastifyRequest): Promise<boolean> {
  const token = tokenOf(request)
  return token !== undefined && (await hasEnded(request.server.db, token))
}

/** On https the name's prefix makes browsers refuse the cookie from any other host or path. */
export const cookieName = (config: Config): string => (isSecure(config) ? '__Host-session' : 'session')
const isSecure = ({ publicUrl }: Config) => publicUrl?.startsWith('https:') ?? false

/** The session token a request carries. */
export const tokenOf = (request: FastifyRequest): string | undefined =>
  request.cookies[cookieName(request.server.config)]

/** Gives the browser its token: out of reach of scripts, not sent along by other sites. */
export function setCookie(reply: FastifyReply, token: string): void {
  write(reply, token, SESSION_DAYS * 24 * 60 * 60)
  // Whoever was looked up before is no longer who is there.
  forget(reply.request)
}

/** Takes the token back from the browser. */
export function clearCookie(reply: FastifyReply): void {
  write(reply, '', 0)
  forget(reply.request)
}

function forget(request: FastifyRequest): void {
  lookUps.delete(request)
  shownLookUps.delete(request)
}

/** Where the cookie of a known browser is sent: to the login, as a call and as a page, and nowhere else. */
const LOGINS = ['/api/auth/login', '/login']
/** It is for these paths alone, which the stricter prefix of browsers does not allow. */
const deviceCookie = (config: Config) => (isSecure(config) ? '__Secure-device' : 'device')

/** The cookie of a browser that has logged in before. */
export const deviceTokenOf = (request: FastifyRequest): string | undefined =>
  request.cookies[deviceCookie(request.server.config)]

/** Lets the browser be known at its next logins, also after logging out. */
export function setDeviceCookie(reply: FastifyReply, token: string): void {
  const { config } = reply.server
  const flags = { httpOnly: true, sameSite: 'strict', secure: isSecure(config) } as const
  for (const path of LOGINS)
    reply.setCookie(deviceCookie(config), token, { ...flags, path, maxAge: DEVICE_DAYS * 24 * 60 * 60 })
}

function write(reply: FastifyReply, value: string, maxAge: number): void {
  const { config } = reply.server
  const name = cookieName(config)
  // What is asked in the same request from here on is asked by this person.
  reply.request.cookies[name] = value
  reply.setCookie(name, value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(config),
    maxAge,
  })
}
