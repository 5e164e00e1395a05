import type { FastifyInstance } from 'fastify'
import type { Id } from '#contract'
import { attach, type Upload } from '#images/attach.ts'
import type { Image } from '#images/contract.ts'
import type { Place, Uploader } from '#images/images.ts'
import type { Database } from '#platform/database/database.ts'
import { consume } from '#platform/http/rate-limit.ts'

/** Reading a document for so long (ms) counts as one more upload. */
const DOCUMENT_MS = 100

/** A user who uploads photos, with their quota and limits. */
export const uploaderOf = (app: FastifyInstance, userId: Id): Uploader => ({
  id: userId,
  quota: app.config.quota,
  spent: ms => consume(app, 'uploads', userId, Math.floor(ms / DOCUMENT_MS)),
})

/**
 * Stores an uploaded photo of a listing or a draft, within the limits of its user.
 * @param added runs in the transaction that adds the photo
 * @throws Problem 429, and as `attach` does
 */
export async function uploadPhoto(
  app: FastifyInstance,
  userId: Id,
  place: Place,
  upload: Upload,
  added?: (db: Database) => Promise<void>,
): Promise<Image> {
  await consume(app, 'uploads', userId)
  return attach(app.db, app.files, uploaderOf(app, userId), place, upload, added)
}
