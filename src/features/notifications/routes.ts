import type { FastifyInstance } from 'fastify'
import { markSeen } from '#accounts/notifications-seen.ts'
import { requireOwnAccount } from '#accounts/own-account.ts'
import { requireUser, userGuard } from '#accounts/session-cookie.ts'
import { createApi } from '#platform/api/api.ts'
import { ipSubnet } from '#platform/http/origin.ts'
import { consume } from '#platform/http/rate-limit.ts'
import type { LetterKinds } from '#platform/mail/delivery.ts'
import { readUnsubscribeToken } from '#platform/mail/unsubscribe.ts'
import { Problem } from '#problem'
import { CANNOT_SWITCH_OFF, calls, WRONG_LINK } from './contract.ts'
import { chooseOff, switchedOff, switchOff } from './letter-choices.ts'
import * as notifications from './notifications.ts'

/** Notifications on the site, and which letters people want. @param kinds every kind of letter */
export function notificationRoutes(app: FastifyInstance, kinds: LetterKinds): void {
  const on = createApi(app, calls)
  /** What letters of a kind are about. @throws Problem 400 unless people may switch them off */
  const aboutOf = (kind: string): string => {
    const about = Object.hasOwn(kinds, kind) ? kinds[kind]?.optional : undefined
    if (about === undefined) throw new Problem(400, CANNOT_SWITCH_OFF)
    return about
  }
  /** The letters that a link switches off. @throws Problem 403 if the shop has not signed it */
  const lettersOf = async ({ params }: { params: { token: string } }) => {
    const letters = await readUnsubscribeToken(app.db, params.token)
    if (!letters) throw new Problem(403, WRONG_LINK)
    return letters
  }

  on('GET /api/notifications/', { guard: userGuard() }, async ({ query }, request) =>
    notifications.list(
      app.db,
      { kinds, shop: app.brand.latest.name },
      (await requireUser(request)).id,
      query,
    ),
  )

  on('POST /api/notifications/seen', { guard: userGuard() }, async ({ body }, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    await markSeen(app.db, user.id, body.newest)
    return { message: 'Marked as read' }
  })

  on('GET /api/letters/', async (_, request) => {
    const off = await switchedOff(app.db, (await requireUser(request)).id)
    return {
      letters: Object.entries(kinds).flatMap(([kind, { optional }]) =>
        optional ? { kind, about: optional, on: !off.includes(kind) } : [],
      ),
    }
  })

  on(
    'PUT /api/letters/',
    { guard: (_, request) => requireOwnAccount(request) },
    async ({ body }, request) => {
      const user = await requireOwnAccount(request)
      for (const kind of body.off) aboutOf(kind)
      await consume(app, 'changes', user.id)
      await chooseOff(app.db, user.id, body.off)
      return { message: 'Saved' }
    },
  )

  on('GET /api/letters/off/:token', async input => {
    const { kind } = await lettersOf(input)
    return { about: aboutOf(kind) }
  })

  on('POST /api/letters/off/:token', { guard: lettersOf }, async (input, request) => {
    const letters = await lettersOf(input).catch(async refusal => {
      // Right links are not counted: a mail service switches off letters of many people from one address.
      await consume(app, 'changes', ipSubnet(request.ip))
      throw refusal
    })
    const about = aboutOf(letters.kind)
    await switchOff(app.db, letters)
    return { about }
  })
}
