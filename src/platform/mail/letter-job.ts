import type { FastifyInstance } from 'fastify'
import type { Job } from '../jobs/jobs.ts'
import { type DeliveryDeps, deliver } from './delivery.ts'
import { LETTERS } from './outbox.ts'
import { outboxCounts } from './outbox-admin.ts'

/** Longer than a run of `deliver`, seconds. */
const EXPIRES_SECONDS = 15 * 60

type LetterJobOptions = Pick<DeliveryDeps, 'kinds' | 'transport' | 'render' | 'brand' | 'origin'> & {
  app: Pick<FastifyInstance, 'db' | 'config' | 'log' | 'counter' | 'gauge'>
}

/** The job that sends what is due: every minute, for letters whose process died, and soon after this process has written some. */
export function letterJob({ app, ...options }: LetterJobOptions): Job {
  const { db, config, log } = app
  const countSent = app.counter('shop_letters_sent_total', 'Letters that the mail server has accepted')
  const countRefused = app.counter('shop_letters_refused_total', 'Tries to send a letter that failed')
  app.gauge('shop_letters', 'Letters that wait, and that have failed', 'state', () => outboxCounts(db))
  return {
    name: LETTERS,
    schedule: '* * * * *',
    expireInSeconds: EXPIRES_SECONDS,
    pollingIntervalSeconds: 10,
    run: signal => deliver({ db, config, log, countSent, countRefused, ...options }, signal),
  }
}
