import type { Id } from '#contract'
import { limitConcurrency } from '#platform/http/concurrency-limit.ts'
import { Problem } from '#problem'
import { type FirstPage, firstPage } from './pdf.ts'

/** The user who sends a document. */
export interface DocumentUploader {
  id: Id
  /** Called with the time that the document took, ms. If it throws, the upload is refused. */
  spent?: (ms: number) => Promise<void>
}

/** A limit of its own: documents may take seconds, and photos do not wait for them. */
const limited = limitConcurrency({
  name: 'documents',
  maxRunning: 1,
  maxWaiting: 8,
  busy: 'Too many documents are being read right now; please try again in a moment',
})

/** Users with a document that waits or is read: one each, so that no user blocks the others. */
const uploaders = new Set<Id>()

/**
 * Renders a document's first page: one document at a time, and one per user.
 * @throws Problem 429 for a user's second document at the same time, 503 while too many wait
 */
export async function readDocument(
  pdf: Buffer,
  within: { width: number; height: number },
  { id, spent }: DocumentUploader,
): Promise<FirstPage> {
  if (uploaders.has(id))
    throw new Problem(429, 'Your other document is still being read. Please send one after the other', {
      retryAfter: 5,
    })
  uploaders.add(id)
  try {
    return await limited(async () => {
      const began = performance.now()
      const page = await firstPage(pdf, within)
      await spent?.(performance.now() - began)
      return page
    })
  } finally {
    uploaders.delete(id)
  }
}
