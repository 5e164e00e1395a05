import { hostname } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { sweepSessions } from '#accounts/sessions.ts'
import { sweepFiles } from '#images/images.ts'
import { sweepWords } from '#products/words.ts'
import { firstThisHour, sweepLimits } from '#server/gates/limits.ts'

const HOUR_MS = 60 * 60 * 1000

/** What all processes of the shop have in common. */
async function sweepShop({ db, files }: FastifyInstance): Promise<void> {
  await sweepSessions(db)
  await sweepLimits(db)
  await sweepWords(db)
  await sweepFiles(db, files)
}

/**
 * Clears away what nobody needs any more, now and once an hour: a shop that is opened anew every day, or falls over, would
 * else never come to it. Of several processes one does it; what lies on a machine's own
 * disk, one of each machine. @returns stops it
 */
export function sweeping(app: FastifyInstance): () => void {
  const sweep = async () => {
    try {
      if (await firstThisHour(app.db, `sweep of ${hostname()}`)) await app.made.sweep()
      if (await firstThisHour(app.db, 'sweep')) await sweepShop(app)
    } catch (error) {
      app.log.warn({ err: error }, 'sweeping failed; it is tried again in an hour')
    }
  }
  void sweep()
  const timer = setInterval(sweep, HOUR_MS).unref()
  return () => clearInterval(timer)
}
