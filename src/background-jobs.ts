import type { FastifyInstance } from 'fastify'
import { fetchJob } from '#draft-pictures/fetch-job.ts'
import { exportJob } from '#personal-data/make-exports.ts'
import type { Connection, OpenPool } from '#platform/database/database.ts'
import { onJobRequested } from '#platform/jobs/job-events.ts'
import { installJobs, startJobs } from '#platform/jobs/jobs.ts'
import type { Draw } from '#platform/mail/delivery.ts'
import { openMail } from '#platform/mail/mail.ts'
import { reminderJob } from '#sales/reminders.ts'
import { readBrand } from '#site/brand.ts'
import { CLEANUP, cleanupJobs, sweepDisk } from './cleanup-job.ts'
import { letterKinds } from './letters.ts'

const HOUR_SECONDS = 60 * 60

interface BackgroundOptions {
  app: FastifyInstance
  connection: Connection
  pool: OpenPool
  /** Public address of the shop, for links in letters. */
  address: string
}

/** Starts what no request waits for: letters, archives of personal data, and cleanup. @returns a function that stops it */
export async function startBackgroundJobs({
  app,
  connection,
  pool,
  address,
}: BackgroundOptions): Promise<() => Promise<void>> {
  const draw: Draw = async (letter, brand) => (await app.pages.renderer()).drawLetter(letter, address, brand)
  const brand = () => readBrand(app.db)
  const mail = await openMail({ app, kinds: letterKinds, draw, brand, base: address })
  await installJobs(connection)
  const jobs = await startJobs(
    pool.pool,
    [mail.job, exportJob(app), fetchJob(app), reminderJob(app.db), ...cleanupJobs(app)],
    app.log,
  )
  const wake = (name: string, slot?: number) =>
    jobs.wake(name, slot).catch(error => app.log.warn({ err: error }, 'a job starts at its next time only'))
  const stopListening = onJobRequested(wake)
  const stopSweeping = sweepDisk(app)
  // At start too: a shop that restarts daily would rarely be open at the full hour.
  await wake(CLEANUP, HOUR_SECONDS)
  return async () => {
    stopListening()
    stopSweeping()
    await jobs.stop()
    mail.close()
  }
}
