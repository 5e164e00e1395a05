import type { FastifyInstance } from 'fastify'
import { sweepDeviceCookies } from '#accounts/device-cookies.ts'
import { sweepLinks } from '#accounts/email-links.ts'
import { sweepFormerUsernames } from '#accounts/former-usernames.ts'
import { sweepChallenges } from '#accounts/passkey-challenges.ts'
import { sweepEvents } from '#accounts/security-events.ts'
import { sweepSessions } from '#accounts/session-store.ts'
import { sweep as sweepDraftPictures } from '#draft-pictures/draft-pictures.ts'
import { backfillSizes, removeOfDeleted, removeOfDeletedToday, sweepFiles } from '#images/sweep.ts'
import { sweepAddresses } from '#moderation/reports.ts'
import { sweepOperatorSessions } from '#operators/sessions.ts'
import { sweepExports } from '#personal-data/exports.ts'
import { sweepLimits } from '#platform/http/rate-limit.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { sweepOutbox } from '#platform/mail/outbox.ts'
import { sweepStoredLetters } from '#platform/mail/transport.ts'
import { sweepVocabulary } from '#search/parse-query.ts'
import { sweepFormerShopNames } from '#sellers/shop-name.ts'
import { sweepImports } from '#transfer/pending-imports.ts'

const HOUR_MS = 60 * 60 * 1000

/** Name of the hourly job. */
export const CLEANUP = 'cleanup'

/** Cleanup of the shared database and storage. */
const sharedSweeps = ({ db, config, files, privateFiles }: FastifyInstance) => [
  () => sweepSessions(db),
  () => sweepDeviceCookies(db),
  () => sweepChallenges(db),
  () => sweepLinks(db),
  () => sweepEvents(db),
  () => sweepOperatorSessions(db),
  () => sweepAddresses(db),
  () => sweepFormerUsernames(db),
  () => sweepFormerShopNames(db),
  () => sweepLimits({ db, config }),
  () => sweepVocabulary(db),
  () => sweepOutbox(db),
  () => sweepExports(db, privateFiles),
  () => sweepImports(db),
  () => sweepDraftPictures(db),
  () => sweepFiles(db, files),
  () => removeOfDeleted(db, files),
  () => backfillSizes(db, files),
]

/** Each part by itself: one that always fails must not block those after it. */
async function attempt(app: FastifyInstance, part: () => Promise<void>): Promise<void> {
  try {
    await part()
  } catch (error) {
    app.log.warn({ err: error }, 'sweeping failed; it is tried again')
  }
}

/** Jobs that clean up the database and the storage. */
export const cleanupJobs = (app: FastifyInstance): Job[] => [
  {
    name: CLEANUP,
    schedule: '0 * * * *',
    expireInSeconds: 60 * 60,
    pollingIntervalSeconds: 60,
    async run() {
      for (const part of sharedSweeps(app)) await attempt(app, part)
    },
  },
  {
    // Tries again what failed while the storage was away.
    name: 'remove-deleted-files',
    schedule: '* * * * *',
    expireInSeconds: 5 * 60,
    pollingIntervalSeconds: 20,
    run: () => attempt(app, () => removeOfDeletedToday(app.db, app.files)),
  },
]

/**
 * Cleans up the disk of this machine at start and once an hour. It is no job: a job may run on any machine. Each process does
 * it; files that another one has removed are passed over. @returns a function that stops it
 */
export function sweepDisk(app: FastifyInstance): () => void {
  const sweep = async () => {
    await attempt(app, () => app.derivedFiles.sweep())
    await attempt(app, () => sweepStoredLetters(app.config))
  }
  void sweep()
  const timer = setInterval(sweep, HOUR_MS).unref()
  return () => clearInterval(timer)
}
