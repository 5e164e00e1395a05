import { sql } from 'kysely'
import { requireActive } from '#accounts/suspension.ts'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { queueLetters } from '#platform/mail/outbox.ts'
import { onlyItsSeller } from './access.ts'
import type { Review } from './contract.ts'
import { find } from './reviews.ts'

/** Sets the public reply to a review. @throws Problem 404 no such review, 403 not of an own listing, or suspended */
export async function reply(db: Database, seller: Id, id: Id, text: string): Promise<Review> {
  await transaction(db, async db => {
    await requireActive(db, seller)
    await onlyItsSeller(db, seller, id)
    const set = db.updateTable('reviews').set({ reply: text, replied_at: sql`now()` })
    const review = await set.where('id', '=', id).returning('user_id as recipient').executeTakeFirst()
    if (review && review.recipient !== seller)
      await queueLetters(db, [{ kind: 'reply', subject: id, recipient: review.recipient, notify: true }])
  })
  return find(db, id)
}

/** Deletes a reply, if any. @throws Problem as `reply` does */
export async function removeReply(db: Database, seller: Id, id: Id): Promise<void> {
  await onlyItsSeller(db, seller, id)
  await db.updateTable('reviews').set({ reply: null, replied_at: null }).where('id', '=', id).execute()
}
