import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireUser } from '#accounts/session-cookie.ts'
import type { Id } from '#contract'
import {
  MAX_ZIP_BYTES,
  PHOTOS_PAGE,
  ZIP_FORM_PATH,
  ZIP_PATH,
  ZIP_REFUSALS,
  type ZipPlan,
} from '#draft-pictures/contract.ts'
import { openPhotoZip, type PhotoZip } from '#draft-pictures/photo-zip.ts'
import { receiveZip } from '#draft-pictures/receive-zip.ts'
import { MAX_NAMED, type Planned, plan, takeIn } from '#draft-pictures/zip-intake.ts'
import type { Database } from '#platform/database/database.ts'
import { limitConcurrency } from '#platform/http/concurrency-limit.ts'
import { allowOnly } from '#platform/http/method-not-allowed.ts'
import { consume } from '#platform/http/rate-limit.ts'
import { Problem } from '#problem'
import { addListings } from './import-archive.ts'
import { isArchive, readArchive } from './read-archive.ts'

/** Zips that are read in this process, or wait for it: one after the other. */
const MAX_ZIPS = 4
/** Bytes of the text of an archive: parsed, it has several times as many. Operators can take a larger one in. */
const MAX_TEXT = 8 * 2 ** 20
/** Bytes of the form around the zip. */
const FIELDS_BYTES = 64 * 1024

/** Takes in zips: of photos, or archives with the listings of another shop. */
export function zipRoutes(app: FastifyInstance): void {
  const takeZip = zipIntake(app)
  const options = {
    bodyLimit: MAX_ZIP_BYTES + FIELDS_BYTES,
    config: { large: () => true, sender: requireUser, cost: () => 6 },
  }
  allowOnly(app, ZIP_PATH, ['POST'])
  app.post(ZIP_PATH, options, async (request, reply) => reply.code(202).send(await takeZip(request)))

  // The form of the page: the response is the page, with what became of the zip in its address.
  allowOnly(app, ZIP_FORM_PATH, ['POST'])
  const form = {
    ...options,
    // Also for what is refused before the body is read.
    errorHandler(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
      if (!(error instanceof Problem)) return app.errorHandler(error, request, reply)
      if (error.status === 401) return reply.redirect(`/login?next=${PHOTOS_PAGE}`, 303)
      return toPage(reply, { refused: refusalOf(error) })
    },
  }
  app.post(ZIP_FORM_PATH, form, async (request, reply) => {
    const { drafts, taken, here, unknown } = await takeZip(request)
    return toPage(reply, { drafts, taken, here, unknown })
  })
}

function toPage(reply: FastifyReply, result: Record<string, number | string>): FastifyReply {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(result)) query.set(name, String(value))
  return reply.redirect(`${PHOTOS_PAGE}?${query}`, 303)
}

/** The name of a refusal. The address does not have its text, which a forged link could change. */
const refusalOf = ({ message, status }: Problem): string =>
  Object.entries(ZIP_REFUSALS).find(([, text]) => message.startsWith(text))?.[0] ??
  { 409: 'full', 413: 'archive', 429: 'busy', 503: 'busy' }[status] ??
  'again'

/** Takes zips in: the response comes when the zip has arrived and was checked, the photos afterwards. */
function zipIntake(app: FastifyInstance): (request: FastifyRequest) => Promise<ZipPlan> {
  const stopping = new AbortController()
  const senders = new Set<Id>()
  let last: Promise<unknown> = Promise.resolve()
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
      const { planned, ...result } = await planOf(app.db, user.id, zip)
      const done = release
      release = async () => {}
      last = last.then(() => takeIn(app, user.id, zip, planned, stopping.signal)).finally(done)
      return result
    } finally {
      await release()
    }
  }
}

/** Archives that are parsed in this process. */
const oneAtATime = limitConcurrency({
  name: 'archives',
  maxRunning: 1,
  maxWaiting: MAX_ZIPS,
  busy: ZIP_REFUSALS.busy,
})

/** What becomes of a zip. The listings of an archive are added. */
async function planOf(db: Database, seller: Id, zip: PhotoZip): Promise<ZipPlan & { planned: Planned[] }> {
  if (!isArchive(zip)) return { drafts: 0, ...(await plan(db, seller, zip)) }
  const { rows, planned } = await oneAtATime(async () =>
    addListings(db, seller, await readArchive(zip, MAX_TEXT)),
  )
  const drafts = rows.filter(({ outcome }) => outcome === 'new' || outcome === 'changed').length
  const photos = rows.reduce((sum, row) => sum + row.photos, 0)
  const documents = rows.flatMap(row => row.documents)
  return {
    drafts,
    planned,
    taken: planned.length,
    here: Math.max(0, photos - planned.length),
    unknown: documents.length,
    unknown_names: documents.slice(0, MAX_NAMED),
  }
}
