import { sql } from 'kysely'
import { requireActive } from '#accounts/suspension.ts'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { queueLetters, withdrawLetters } from '#platform/mail/outbox.ts'
import { Problem } from '#problem'
import { requireItsSeller } from './access.ts'
import { HIDDEN_REPLY, NO_REVIEW, type Review } from './contract.ts'
import { find } from './reviews.ts'

/**
 * Sets the public reply to a review. Its author gets a letter about a new reply, not about a changed one.
 * @throws Problem 404 no such review, 403 not of an own listing, or suspended, 409 while an operator has hidden the reply
 */
export async function reply(db: Database, seller: Id, id: Id, text: string): Promise<Review> {
  await transaction(db, async db => {
    await requireActive(db, seller)
    await requireItsSeller(db, seller, id)
    const review = await db
      .selectFrom('reviews')
      .select(['user_id as recipient', 'reply', 'reply_hidden_at'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!review) throw new Problem(404, NO_REVIEW)
    if (review.reply_hidden_at) throw new Problem(409, HIDDEN_REPLY)
    await db
      .updateTable('reviews')
      .set({ reply: text, replied_at: sql`now()` })
      .where('id', '=', id)
      .execute()
    if (review.reply === null && review.recipient !== seller)
      await queueLetters(db, [{ kind: 'reply', subject: id, recipient: review.recipient, notify: true }])
  })
  return find(db, id)
}

/**
 * Deletes a reply, if any, with its letter, so that there is one about the next. A hidden reply can always be deleted,
 * also if its review is hidden too, or the listing is not for sale any more.
 * @throws Problem 404 no such review, 403 not of an own listing
 */
export async function removeReply(db: Database, seller: Id, id: Id): Promise<void> {
  await transaction(db, async db => {
    await requireItsSeller(db, seller, id, true)
    const review = await db
      .updateTable('reviews')
      .set({ reply: null, replied_at: null, reply_hidden_at: null })
      .where('id', '=', id)
      .returning('user_id as recipient')
      .executeTakeFirst()
    if (review) await withdrawLetters(db, { kind: 'reply', recipient: review.recipient, subjects: [id] })
  })
}
