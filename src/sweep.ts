import type { FastifyInstance } from 'fastify'
import { sweepSessions } from '#accounts/sessions.ts'
import { sweepFiles } from '#images/images.ts'
import { sweepWords } from '#products/words.ts'
import { sweepLimits } from '#server/limits.ts'

const HOUR_MS = 60 * 60 * 1000

/** Clears away once an hour what nobody needs any more. @returns stops it */
export function sweeping(app: FastifyInstance): () => void {
  const sweep = async () => {
    try {
      await sweepSessions(app.db)
      await sweepLimits(app.db)
      await sweepWords(app.db)
      await app.made.sweep()
      await sweepFiles(app.db, app.files)
    } catch (error) {
      app.log.warn({ err: error }, 'sweeping failed; it is tried again in an hour')
    }
  }
  const timer = setInterval(sweep, HOUR_MS).unref()
  return () => clearInterval(timer)
}
