import type { FastifyInstance } from 'fastify'
import type { Brand } from '#brand'
import type { Job } from '../jobs/jobs.ts'
import { type Draw, deliver, type LetterKinds } from './delivery.ts'
import { LETTERS } from './outbox.ts'
import { outboxCounts } from './outbox-report.ts'
import type { Transport } from './transport.ts'

/** Longer than a run of `deliver`, seconds. */
const EXPIRES_SECONDS = 15 * 60

/** How letters are sent. */
interface MailOptions {
  app: Pick<FastifyInstance, 'db' | 'config' | 'log' | 'counter' | 'gauge'>
  kinds: LetterKinds
  transport: Transport
  /** Draws the HTML of a letter. */
  draw: Draw
  /** The brand as it is now. */
  brand: () => Promise<Brand>
  /** Origin of all links, without a slash at the end. */
  base: string
}

/** The letters of this process. */
interface Mail {
  /** Sends what is due: every minute, for letters whose process died, and soon after this process has written some. */
  job: Job
  close(): void
}

/** Opens the mail of this process. */
export function openMail({ app, kinds, transport, draw, brand, base }: MailOptions): Mail {
  const { db, config, log } = app
  const countSent = app.counter('letters_sent', 'Letters that the mail server has accepted')
  const countRefused = app.counter('letters_refused', 'Tries to send a letter that failed')
  app.gauge('letters', 'Letters that wait, and that have failed', 'state', () => outboxCounts(db))
  return {
    job: {
      name: LETTERS,
      schedule: '* * * * *',
      expireInSeconds: EXPIRES_SECONDS,
      pollingIntervalSeconds: 10,
      run: signal =>
        deliver({ db, config, kinds, transport, draw, brand, base, log, countSent, countRefused }, signal),
    },
    close: () => transport.close(),
  }
}
