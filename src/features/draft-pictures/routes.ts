import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { currentUser, requireUser, userGuard } from '#accounts/session-cookie.ts'
import type { Id } from '#contract'
import { createApi } from '#platform/api/api.ts'
import { allowOnly } from '#platform/http/method-not-allowed.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { Problem } from '#problem'
import {
  calls,
  MAX_ZIP_BYTES,
  PHOTOS_PAGE,
  ZIP_FORM_PATH,
  ZIP_PATH,
  ZIP_REFUSALS,
  type ZipPlan,
} from './contract.ts'
import { openPhotoZip } from './photo-zip.ts'
import * as pictures from './pictures.ts'
import { receiveZip } from './receive-zip.ts'
import { plan, takeIn } from './zip-intake.ts'

/** Zips that are read in this process, or wait for it: one after the other. */
const MAX_ZIPS = 4
/** Bytes of the form around the zip. */
const FIELDS_BYTES = 64 * 1024

/** How far the photos of a maker's imported drafts are, and photos in a zip. */
export function draftPictureRoutes(app: FastifyInstance): void {
  const on = createApi(app, calls)
  const fetches = app.config.importPhotos

  on('GET /api/import/photos', async (_, request) =>
    pictures.progress(app.db, (await requireUser(request)).id, fetches),
  )

  on('POST /api/import/photos/retry', { guard: userGuard() }, async (_, request) => {
    const user = await requireUser(request)
    await consume(app, 'changes', user.id)
    await pictures.retry(app.db, user.id)
    return pictures.progress(app.db, user.id, fetches)
  })

  const takeZip = zipIntake(app)
  const options = {
    bodyLimit: MAX_ZIP_BYTES + FIELDS_BYTES,
    config: { large: () => true, sender: currentUser, cost: () => 6 },
  }
  allowOnly(app, ZIP_PATH, ['POST'])
  app.post(ZIP_PATH, options, async (request, reply) => reply.code(202).send(await takeZip(request)))

  // The form of the page: the answer is the page, with what became of the zip in its address.
  allowOnly(app, ZIP_FORM_PATH, ['POST'])
  app.post(ZIP_FORM_PATH, options, async (request, reply) => {
    try {
      const { taken, here, unknown } = await takeZip(request)
      return toPage(reply, { taken, here, unknown })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (error.status === 401) return reply.redirect(`/login?next=${PHOTOS_PAGE}`, 303)
      return toPage(reply, { refused: refusalOf(error) })
    }
  })
}

function toPage(reply: FastifyReply, result: Record<string, number | string>): FastifyReply {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(result)) query.set(name, String(value))
  return reply.redirect(`${PHOTOS_PAGE}?${query}`, 303)
}

/** The name of a refusal. Its text is not in the address: anybody could write one. */
const refusalOf = ({ message }: Problem): string =>
  Object.entries(ZIP_REFUSALS).find(([, text]) => message.startsWith(text))?.[0] ?? 'again'

/** Takes zips in: the answer comes when the zip has arrived and was checked, the photos afterwards. */
function zipIntake(app: FastifyInstance): (request: FastifyRequest) => Promise<ZipPlan> {
  const stopping = new AbortController()
  const senders = new Set<Id>()
  let last: Promise<void> = Promise.resolve()
  app.addHook('onClose', async () => {
    stopping.abort()
    await last
  })
  return async request => {
    const user = await requireUser(request)
    await consume(app, 'uploads', user.id)
    if (senders.has(user.id) || senders.size >= MAX_ZIPS)
      throw new Problem(503, ZIP_REFUSALS.busy, { retryAfter: 60 })
    senders.add(user.id)
    let release = async () => void senders.delete(user.id)
    try {
      const file = await receiveZip(request)
      release = async () => {
        senders.delete(user.id)
        await file.close().catch(() => {})
      }
      const zip = await openPhotoZip(file.fd)
      const { planned, ...answer } = await plan(app.db, user.id, zip)
      const done = release
      release = async () => {}
      last = last.then(() => takeIn(app, user.id, zip, planned, stopping.signal)).finally(done)
      return answer
    } finally {
      await release()
    }
  }
}
