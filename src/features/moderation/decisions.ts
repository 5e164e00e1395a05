import { endSuspension, suspend as suspendPerson } from '#accounts/suspension.ts'
import type { Id } from '#contract'
import type { Action } from '#operators/contract.ts'
import { type Actor, record } from '#operators/log.ts'
import { refuseOwn } from '#operators/own.ts'
import type { Database } from '#platform/database/database.ts'
import { queueLetters } from '#platform/mail/outbox.ts'
import { hide, pauseAll, resumeAll, show } from '#products/hide.ts'
import { hideReply, hideReview, showReply, showReview } from '#reviews/hide.ts'
import type { Statement } from './operate-contract.ts'
import { closeReports } from './reports.ts'
import { sidesOf } from './sides.ts'

// Decisions of operators about listings, reviews and users: the change, its log entry, the letter to the user
// concerned, and the answers to reports about it. Call these in a transaction.

/** A decision that was made: its entry in the log, and what it is about. */
interface Decided {
  action: Action
  /** The user concerned. */
  person: Id
  product?: Id
  review?: Id
}

/**
 * Hides a listing.
 * @param actor an operator, or null for a command
 * @returns the id of the decision
 * @throws Problem 404 unknown or deleted, 409 if it is hidden already
 */
export const hideListing = (db: Database, actor: Actor, id: Id, statement: Statement): Promise<Id> =>
  decide(db, actor, statement, async () => {
    const { seller_id } = await hide(db, id)
    return { action: 'listing-hidden', person: seller_id, product: id }
  })

/** Shows a hidden listing again. @throws Problem 404 unknown or deleted, 409 if it is not hidden */
export const showListing = (db: Database, actor: Actor, id: Id, reason: string): Promise<Id> =>
  revoke(db, actor, reason, 'listing-hidden', async () => {
    const { seller_id } = await show(db, id)
    return { action: 'listing-shown', person: seller_id, product: id }
  })

/** Hides a review. @throws Problem 404 unknown, 409 if it is hidden already */
export const hideReviewOf = (db: Database, actor: Actor, id: Id, statement: Statement): Promise<Id> =>
  decide(db, actor, statement, async () => {
    const { author_id, product_id } = await hideReview(db, id)
    return { action: 'review-hidden', person: author_id, product: product_id, review: id }
  })

/** Shows a hidden review again. @throws Problem 404 unknown, 409 if it is not hidden */
export const showReviewOf = (db: Database, actor: Actor, id: Id, reason: string): Promise<Id> =>
  revoke(db, actor, reason, 'review-hidden', async () => {
    const { author_id, product_id } = await showReview(db, id)
    return { action: 'review-shown', person: author_id, product: product_id, review: id }
  })

/** Hides the reply to a review. @param id of the review @throws Problem 404 unknown, 409 if it is hidden already */
export const hideReplyTo = (db: Database, actor: Actor, id: Id, statement: Statement): Promise<Id> =>
  decide(db, actor, statement, async () => {
    const { author_id, product_id } = await hideReply(db, id)
    return { action: 'reply-hidden', person: author_id, product: product_id, review: id }
  })

/** Shows the hidden reply to a review again. @throws Problem 404 unknown, 409 if it is not hidden */
export const showReplyTo = (db: Database, actor: Actor, id: Id, reason: string): Promise<Id> =>
  revoke(db, actor, reason, 'reply-hidden', async () => {
    const { author_id, product_id } = await showReply(db, id)
    return { action: 'reply-shown', person: author_id, product: product_id, review: id }
  })

/**
 * Suspends a user: their listings are hidden, and they can add no listings and reviews. Their orders go on.
 * @throws Problem 404 unknown, 409 if they are suspended already
 */
export const suspend = (db: Database, actor: Actor, person: Id, statement: Statement): Promise<Id> =>
  decide(db, actor, statement, async () => {
    await suspendPerson(db, person)
    await pauseAll(db, person)
    return { action: 'person-suspended', person }
  })

/** Ends a suspension. @throws Problem 404 unknown, 409 if they are not suspended */
export const restore = (db: Database, actor: Actor, person: Id, reason: string): Promise<Id> =>
  revoke(db, actor, reason, 'person-suspended', async () => {
    await endSuspension(db, person)
    await resumeAll(db, person)
    return { action: 'person-restored', person }
  })

async function decide(
  db: Database,
  actor: Actor,
  statement: Statement,
  change: () => Promise<Decided>,
): Promise<Id> {
  const decided = await change()
  refuseOwn(actor, decided.person, ...(await sidesOf(db, decided)))
  const id = await record(db, actor, { ...decided, ...statement })
  await closeReports(db, { ...decided, ofReply: decided.action === 'reply-hidden' }, id)
  await tell(db, id, decided.person)
  return id
}

/** Takes a decision back. @param former its action: the latest such log entry about the same listing, review or user */
async function revoke(
  db: Database,
  actor: Actor,
  reason: string,
  former: Action,
  change: () => Promise<Decided>,
): Promise<Id> {
  const decided = await change()
  refuseOwn(actor, decided.person, ...(await sidesOf(db, decided)))
  const about = await lastDecision(db, former, decided)
  const id = await record(db, actor, { ...decided, about, reason })
  // An open objection is answered too, since the decision no longer stands.
  if (about !== undefined)
    await db
      .updateTable('objections')
      .set({ answered_by: id })
      .where('decision_id', '=', about)
      .where('answered_by', 'is', null)
      .execute()
  await tell(db, id, decided.person)
  return id
}

async function lastDecision(
  db: Database,
  action: Action,
  { person, product, review }: Decided,
): Promise<Id | undefined> {
  const about = review ? 'review_id' : product ? 'product_id' : 'person_id'
  const row = await db
    .selectFrom('operator_log')
    .select('id')
    .where('action', '=', action)
    .where(about, '=', review ?? product ?? person)
    .orderBy('id', 'desc')
    // A concurrent objection commits before, or is refused.
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.id
}

const tell = (db: Database, decision: Id, recipient: Id) =>
  queueLetters(db, [{ kind: 'decision', subject: decision, recipient, notify: true }])
