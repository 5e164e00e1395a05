import type { Id } from '#contract'
import { record } from '#operators/log.ts'
import { notifyOperators } from '#operators/notify-operators.ts'
import { refuseOwn } from '#operators/own.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { violatedConstraint } from '#platform/database/database-errors.ts'
import { queueLetters } from '#platform/mail/outbox.ts'
import { Problem } from '#problem'
import { restore, showListing, showReplyTo, showReviewOf } from './decisions.ts'
import { listingRows } from './lists.ts'
import { decisions, isOfReply, OBJECTIONABLE, requireOwn, view } from './notices.ts'
import type { Notice } from './notices-contract.ts'
import type { OpenObjection } from './operate-contract.ts'

/** Most objections that are shown. */
const MAX_SHOWN = 100

/**
 * Objects to a decision, once.
 * @throws Problem 404 if it is about somebody else, 409 if it is no measure, was taken back, or has an objection
 */
export async function object(db: Database, person: Id, id: Id, words: string): Promise<Notice> {
  try {
    await transaction(db, async db => {
      // Waits for a concurrent operator who takes the decision back.
      await db.selectFrom('operator_log').select('id').where('id', '=', id).forNoKeyUpdate().execute()
      const { action, taken_back_at } = await requireOwn(db, person, id)
      if (!OBJECTIONABLE.includes(action) || taken_back_at)
        throw new Problem(409, 'There is nothing left to object to')
      await db.insertInto('objections').values({ decision_id: id, person_id: person, words }).execute()
      await notifyOperators(db, 'objection-waits', id)
    })
  } catch (error) {
    if (violatedConstraint(error) !== 'objections_pkey') throw error
    throw new Problem(409, 'You have objected to this already', { cause: error })
  }
  return requireOwn(db, person, id)
}

/** Objections that wait for an answer, oldest first, at most 100. @param operator who looks at them */
export async function openObjections(db: Database, operator: Id): Promise<OpenObjection[]> {
  const rows = await decisions(db)
    .innerJoin('users as u', 'u.id', 'o.person_id')
    .select(['u.username', 'u.id as objector_id', 'l.product_id'])
    .where('o.answered_by', 'is', null)
    .orderBy('o.created_at')
    .limit(MAX_SHOWN)
    .execute()
  const hidden = rows.flatMap(({ action, product_id }) =>
    action === 'listing-hidden' && product_id !== null ? [product_id] : [],
  )
  const listings = await listingRows(db, { ids: hidden })
  return rows.map(row => ({
    decision: view(row),
    listing: (row.action === 'listing-hidden' && listings.find(({ id }) => id === row.product_id)) || null,
    person: row.username,
    person_id: row.objector_id,
    mine: row.operator_id === operator,
  }))
}

/**
 * Answers an objection: the decision is taken back, or stands.
 * @throws Problem 404 unknown, 409 if it is answered already, or if another operator than the one who decided can answer
 */
export async function answer(
  db: Database,
  operator: Id,
  id: Id,
  { upheld, reason }: { upheld: boolean; reason: string },
): Promise<void> {
  await transaction(db, async db => {
    const objection = await db
      .selectFrom('objections')
      .select(['person_id', 'answered_by'])
      .where('decision_id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!objection) throw new Problem(404, 'There is no such objection')
    if (objection.answered_by !== null) throw new Problem(409, 'This objection is answered already')
    const decision = await decisions(db)
      .select(['p.seller_id as maker_id', 'r.user_id as reviewer_id'])
      .where('l.id', '=', id)
      .executeTakeFirstOrThrow()
    const concerned = [objection.person_id, decision.maker_id, decision.reviewer_id]
    refuseOwn(operator, ...concerned)
    if (decision.operator_id === operator && (await hasOthers(db, [operator, ...concerned])))
      throw new Problem(409, 'Another operator answers an objection to what you decided')
    if (upheld && (await revokeDecision(db, operator, decision.id, reason))) return
    const entry = await record(db, operator, {
      action: upheld ? 'objection-upheld' : 'objection-refused',
      person: objection.person_id,
      about: id,
      reason,
    })
    await db.updateTable('objections').set({ answered_by: entry }).where('decision_id', '=', id).execute()
    await queueLetters(db, [
      { kind: 'decision', subject: entry, recipient: objection.person_id, notify: true },
    ])
  })
}

/**
 * Takes a decision back, which answers the objection to it. @returns false if the listing, review, reply or user is
 * gone
 */
async function revokeDecision(db: Database, operator: Id, id: Id, reason: string): Promise<boolean> {
  const { action, product_id, review_id, person_id, has_reply } = await db
    .selectFrom('operator_log as l')
    .leftJoin('reviews as r', 'r.id', 'l.review_id')
    .select(['l.action', 'l.product_id', 'l.review_id', 'l.person_id', isOfReply.as('has_reply')])
    .where('l.id', '=', id)
    .executeTakeFirstOrThrow()
  // Its maker has deleted it, and may have written another.
  if (action === 'reply-hidden' && !has_reply) return false
  try {
    if (action === 'reply-hidden' && review_id !== null) await showReplyTo(db, operator, review_id, reason)
    else if (action === 'review-hidden' && review_id !== null)
      await showReviewOf(db, operator, review_id, reason)
    else if (action === 'listing-hidden' && product_id !== null)
      await showListing(db, operator, product_id, reason)
    else if (person_id !== null) await restore(db, operator, person_id, reason)
    return true
  } catch (problem) {
    if (problem instanceof Problem && problem.status === 404) return false
    throw problem
  }
}

/** Whether there are operators besides these people. */
async function hasOthers(db: Database, people: (Id | null)[]): Promise<boolean> {
  const known = people.filter(id => id !== null)
  const other = await db
    .selectFrom('operators')
    .select('user_id')
    .where('user_id', 'not in', known)
    .executeTakeFirst()
  return other !== undefined
}
