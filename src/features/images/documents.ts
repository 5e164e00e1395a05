import type { Id } from '#contract'
import { limitConcurrency } from '#platform/http/concurrency-limit.ts'
import { Problem } from '#problem'
import { type FirstPage, firstPage } from './pdf.ts'

/** Whose document it is. */
export interface DocumentSender {
  id: Id
  /** Told how many milliseconds it took to read their document. What it throws refuses the upload. */
  spent?: (ms: number) => Promise<void>
}

/** Apart from the pictures' turns: a document may take seconds, and no photo waits for one. */
const inTurn = limitConcurrency({
  name: 'documents',
  atOnce: 1,
  waiting: 8,
  busy: 'Too many documents are being read right now; please try again in a moment',
})

/** Who has a document here that waits or is read: nobody keeps all others waiting. */
const senders = new Set<Id>()

/**
 * Draws a document's first page in its turn: one document after the other, and of each person one at a time.
 * @throws Problem 429 for a person's second document at the same time, 503 while too many wait
 */
export async function readDocument(
  pdf: Buffer,
  within: { width: number; height: number },
  { id, spent }: DocumentSender,
): Promise<FirstPage> {
  if (senders.has(id))
    throw new Problem(429, 'Your other document is still being read. Please send one after the other', {
      retryAfter: 5,
    })
  senders.add(id)
  try {
    return await inTurn(async () => {
      const began = performance.now()
      const page = await firstPage(pdf, within)
      await spent?.(performance.now() - began)
      return page
    })
  } finally {
    senders.delete(id)
  }
}
