import type { FastifyInstance } from 'fastify'
import { fetchJob } from '#draft-pictures/fetch-job.ts'
import { exportJob } from '#personal-data/make-exports.ts'
import type { ConnectionOptions, OpenPool } from '#platform/database/database.ts'
import { onJobRequested } from '#platform/jobs/job-events.ts'
import { installJobs, startJobs } from '#platform/jobs/jobs.ts'
import type { RenderLetter } from '#platform/mail/delivery.ts'
import { letterJob } from '#platform/mail/letter-job.ts'
import { openTransport, type Transport } from '#platform/mail/transport.ts'
import { reminderJob } from '#sales/reminders.ts'
import { readBrand } from '#site/brand.ts'
import { CLEANUP, cleanupJobs, sweepDisk } from './cleanup-job.ts'
import { letterKinds } from './letters.ts'

const HOUR_SECONDS = 60 * 60

interface BackgroundOptions {
  app: FastifyInstance
  connection: ConnectionOptions
  pool: OpenPool
}

/**
 * Starts what no request waits for.
 * @param origin of the shop, for links in letters
 * @returns a function that stops it
 */
type StartJobs = (origin: string) => Promise<() => Promise<void>>

/**
 * Prepares what no request waits for: letters, archives of personal data, and cleanup.
 * @throws Error if the DKIM key cannot be read, or the database refuses the tables of the jobs
 */
export async function prepareBackgroundJobs({
  app,
  connection,
  pool,
}: BackgroundOptions): Promise<StartJobs> {
  const transport = await openTransport(app.config)
  await installJobs(connection)
  return origin => start(app, pool, transport, origin)
}

async function start(
  app: FastifyInstance,
  pool: OpenPool,
  transport: Transport,
  origin: string,
): Promise<() => Promise<void>> {
  const render: RenderLetter = async (letter, brand) =>
    (await app.pages.renderer()).renderLetter(letter, origin, brand)
  const brand = () => readBrand(app.db)
  const letters = letterJob({ app, kinds: letterKinds, transport, render, brand, origin })
  const jobs = await startJobs(
    pool.pool,
    [letters, exportJob(app), fetchJob(app), reminderJob(app.db), ...cleanupJobs(app)],
    app.log,
  )
  const wake = (name: string, slot?: number) =>
    jobs
      .wake(name, slot)
      .catch(error =>
        app.log.warn({ err: error }, 'a job could not be requested: it runs at its next scheduled time'),
      )
  const stopListening = onJobRequested(wake)
  const stopSweeping = sweepDisk(app)
  // At start too: a shop that restarts daily would rarely be open at the full hour.
  await wake(CLEANUP, HOUR_SECONDS)
  return async () => {
    stopListening()
    stopSweeping()
    await jobs.stop()
    transport.close()
  }
}
