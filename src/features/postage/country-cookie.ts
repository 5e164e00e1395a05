import type { FastifyReply, FastifyRequest } from 'fastify'
import { countries } from '#addresses/countries.ts'

const COOKIE = 'country'
const YEAR_SECONDS = 365 * 24 * 60 * 60

/**
 * The country that the visitor has chosen, null without one. It is never guessed from the address of the network. Cookies are
 * what the client sends: only codes of the list count.
 */
export function countryOf({ cookies }: FastifyRequest): string | null {
  const chosen = cookies[COOKIE]
  return chosen !== undefined && countries.includes(chosen) ? chosen : null
}

/** Remembers the country for a year, null forgets it. Not HttpOnly: it is no secret. */
export function setCountry(reply: FastifyReply, country: string | null): void {
  // Later calls of this request read it.
  reply.request.cookies[COOKIE] = country ?? undefined
  reply.setCookie(COOKIE, country ?? '', {
    path: '/',
    sameSite: 'lax',
    secure: reply.server.config.publicUrl?.startsWith('https:') ?? false,
    maxAge: country === null ? 0 : YEAR_SECONDS,
  })
}
