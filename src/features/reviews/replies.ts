import { sql } from 'kysely'
import { requireActive } from '#accounts/suspension.ts'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { queueLetters } from '#platform/mail/outbox.ts'
import { Problem } from '#problem'
import { onlyItsSeller } from './access.ts'
import { HIDDEN_REPLY, type Review } from './contract.ts'
import { find } from './reviews.ts'

/**
 * Sets the public reply to a review.
 * @throws Problem 404 no such review, 403 not of an own listing, or suspended, 409 while an operator has hidden the reply
 */
export async function reply(db: Database, seller: Id, id: Id, text: string): Promise<Review> {
  await transaction(db, async db => {
    await requireActive(db, seller)
    await onlyItsSeller(db, seller, id)
    const review = await db
      .updateTable('reviews')
      .set({ reply: text, replied_at: sql`now()` })
      .where('id', '=', id)
      .where('reply_hidden_at', 'is', null)
      .returning('user_id as recipient')
      .executeTakeFirst()
    if (!review) {
      await onlyItsSeller(db, seller, id)
      throw new Problem(409, HIDDEN_REPLY)
    }
    if (review.recipient !== seller)
      await queueLetters(db, [{ kind: 'reply', subject: id, recipient: review.recipient, notify: true }])
  })
  return find(db, id)
}

/** Deletes a reply, if any, also a hidden one. @throws Problem as `reply` does, but no 409 */
export async function removeReply(db: Database, seller: Id, id: Id): Promise<void> {
  await onlyItsSeller(db, seller, id)
  await db
    .updateTable('reviews')
    .set({ reply: null, replied_at: null, reply_hidden_at: null })
    .where('id', '=', id)
    .execute()
}
