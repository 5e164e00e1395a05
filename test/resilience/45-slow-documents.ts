import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { withShop } from '../support/harness.ts'
import { countStatuses, times } from '../support/person.ts'
import { slowPdf } from '../support/sample-pictures.ts'
import { Faults, formatCounts, milliseconds, type Scenario } from '../support/scenario.ts'

/** Concurrent documents of one account. */
const AT_ONCE = 4
/** Limit for another user's photo, ms. */
const PHOTO_MS = 3_000
/** Upload limit per hour: enough for all photos here and 20 s of rendering. */
const UPLOADS = 200
/** Maximum wait for the limit, ms. */
const TIMEOUT_MS = 120_000

export const scenario: Scenario = {
  risk: 'slow documents',
  timed: true,
  promise: `one account sends ${AT_ONCE} slow pdfs at once, repeatedly: another user’s photo within 3 s; the time counts against the limit`,
  run: () =>
    withShop({ LIMITS: 'on', LIMIT_UPLOADS: `${UPLOADS}` }, async shop => {
      const faults = new Faults()
      const [ana, eve] = [await shop.signUp('ana'), await shop.signUp('eve')]
      const photo = await sharp({ create: { width: 1200, height: 900, channels: 3, background: 'teal' } })
        .jpeg()
        .toBuffer()
      const pdf = slowPdf()
      const listings = await times(AT_ONCE, () => shop.list(eve))
      let going = true
      const photos: number[] = []
      const others = (async () => {
        while (going) {
          const { id } = await shop.list(ana)
          const began = performance.now()
          const { status } = await ana.upload(`/api/products/${id}/images`, photo)
          photos.push(performance.now() - began)
          faults.expect(status === 201, `a photo: ${status}`)
          await sleep(500)
        }
      })()
      const responses: { status: number; body: { message?: string } }[] = []
      const began = performance.now()
      const isUsedUp = () =>
        responses.slice(-AT_ONCE).every(({ body }) => /^Too many tries/.test(body.message ?? ''))
      do
        responses.push(
          ...(await times(AT_ONCE, n => eve.upload(`/api/products/${listings[n]?.id}/images`, pdf, 'a.pdf'))),
        )
      while (!isUsedUp() && performance.now() - began < TIMEOUT_MS)
      const took = performance.now() - began
      going = false
      await others
      const longest = Math.max(...photos)
      const statuses = countStatuses(responses)
      faults.expect(longest < PHOTO_MS, `a photo took ${milliseconds(longest)}`)
      faults.expect(isUsedUp(), 'the limit was never reached')
      faults.expect((statuses[201] ?? 0) > 0, 'no document was taken')
      for (const status of Object.keys(statuses))
        faults.expect(['201', '429', '503'].includes(status), `a document: ${status}`)
      return faults.outcome(
        `documents: ${formatCounts(statuses)}, after ${(took / 1000).toFixed(0)} s the account’s limit of ${UPLOADS} was used up; ${photos.length} photos of another user meanwhile, the longest ${milliseconds(longest)}`,
      )
    }),
}
