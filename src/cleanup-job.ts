import { hostname } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { sweepDeviceCookies } from '#accounts/device-cookies.ts'
import { sweepSessions } from '#accounts/session-store.ts'
import { measure, removeOfDeleted, removeOfDeletedToday, sweepFiles } from '#images/sweep.ts'
import { firstThisHour, sweepLimits } from '#platform/http/rate-limit.ts'
import { sweepWords } from '#search/parse-query.ts'

const HOUR_MS = 60 * 60 * 1000
/** What was deleted, and could not be removed at once, is tried again so often. */
const AGAIN_MS = 30_000

/** What all processes of the shop have in common. */
const ofTheShop = ({ db, files }: FastifyInstance) => [
  () => sweepSessions(db),
  () => sweepDeviceCookies(db),
  () => sweepLimits(db),
  () => sweepWords(db),
  () => sweepFiles(db, files),
  () => removeOfDeleted(db, files),
  () => measure(db, files),
]

/**
 * Clears away what nobody needs any more, now and once an hour: a shop that is opened anew every day, or falls over, would
 * else never come to it. Of several processes one does it; what lies on a machine's own
 * disk, one of each machine. Where a part of it fails, the log says so, and the others are swept all the same. @returns
 * stops it
 */
export function startCleanupJob(app: FastifyInstance): () => void {
  // Each by itself: what fails in one hour may fail in every hour, and nothing behind it would ever be swept.
  const attempt = async (part: () => Promise<void>) => {
    try {
      await part()
    } catch (error) {
      app.log.warn({ err: error }, 'sweeping failed; it is tried again')
    }
  }
  const sweep = async () => {
    await attempt(async () => {
      if (await firstThisHour(app.db, `sweep of ${hostname()}`)) await app.derivedFiles.sweep()
    })
    await attempt(async () => {
      if (await firstThisHour(app.db, 'sweep')) for (const part of ofTheShop(app)) await attempt(part)
    })
  }
  void sweep()
  const timers = [
    setInterval(sweep, HOUR_MS).unref(),
    setInterval(() => attempt(() => removeOfDeletedToday(app.db, app.files)), AGAIN_MS).unref(),
  ]
  return () => timers.forEach(clearInterval)
}
