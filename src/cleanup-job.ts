import { hostname } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { sweepDeviceCookies } from '#accounts/device-cookies.ts'
import { sweepFormerUsernames } from '#accounts/former-usernames.ts'
import { sweepChallenges } from '#accounts/passkey-challenges.ts'
import { sweepSessions } from '#accounts/session-store.ts'
import { measure, removeOfDeleted, removeOfDeletedToday, sweepFiles } from '#images/sweep.ts'
import { claimHour, sweepLimits } from '#platform/http/rate-limit.ts'
import { sweepWords } from '#search/parse-query.ts'

const HOUR_MS = 60 * 60 * 1000
/** Interval of retries for deletions that failed. */
const AGAIN_MS = 30_000

/** Cleanup of the shared database and storage. */
const ofTheShop = ({ db, files }: FastifyInstance) => [
  () => sweepSessions(db),
  () => sweepDeviceCookies(db),
  () => sweepChallenges(db),
  () => sweepFormerUsernames(db),
  () => sweepLimits(db),
  () => sweepWords(db),
  () => sweepFiles(db, files),
  () => removeOfDeleted(db, files),
  () => measure(db, files),
]

/**
 * Cleans up at start and once an hour: a shop that restarts daily would never reach the first hour. One process
 * cleans up the shared data, and one per machine its disk. A failing part is logged; the others run.
 * @returns a function that stops it
 */
export function startCleanupJob(app: FastifyInstance): () => void {
  // Each part by itself: one that always fails must not block those after it.
  const attempt = async (part: () => Promise<void>) => {
    try {
      await part()
    } catch (error) {
      app.log.warn({ err: error }, 'sweeping failed; it is tried again')
    }
  }
  const sweep = async () => {
    await attempt(async () => {
      if (await claimHour(app.db, `sweep of ${hostname()}`)) await app.derivedFiles.sweep()
    })
    await attempt(async () => {
      if (await claimHour(app.db, 'sweep')) for (const part of ofTheShop(app)) await attempt(part)
    })
  }
  void sweep()
  const timers = [
    setInterval(sweep, HOUR_MS).unref(),
    setInterval(() => attempt(() => removeOfDeletedToday(app.db, app.files)), AGAIN_MS).unref(),
  ]
  return () => timers.forEach(clearInterval)
}
