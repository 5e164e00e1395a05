import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Action } from '#operators/contract.ts'
import { record } from '#operators/log.ts'
import { refuseOwn } from '#operators/own.ts'
import { tellOperators } from '#operators/tell-operators.ts'
import { brokenConstraint, type Database, transaction } from '#platform/database/database.ts'
import { queueLetters } from '#platform/mail/outbox.ts'
import { Problem } from '#problem'
import { restore, showListing, showReviewOf } from './decisions.ts'
import type { Notice } from './notices-contract.ts'
import type { OpenObjection } from './operate-contract.ts'

/** Decisions that whom they concern is told, and may object to. */
const OBJECTIONABLE: readonly Action[] = ['listing-hidden', 'review-hidden', 'person-suspended']
/** Those, and the ones that take them back. */
const NOTIFIED: Action[] = [...OBJECTIONABLE, 'listing-shown', 'review-shown', 'person-restored']

/** Most notices of one person that are shown. */
const MOST_SHOWN = 100

const decisions = (db: Database) =>
  db
    .selectFrom('operator_log as l')
    .leftJoin('products as p', 'p.id', 'l.product_id')
    .leftJoin('reviews as r', 'r.id', 'l.review_id')
    .leftJoin('objections as o', 'o.decision_id', 'l.id')
    .leftJoin('operator_log as a', 'a.id', 'o.answered_by')
    .select(['l.id', 'l.action', 'l.reason', 'l.rule', 'l.created_at', 'l.operator_id', 'l.person_id'])
    .select(['p.name as listing', 'r.review', 'o.words', 'o.created_at as objected_at'])
    .select(['a.action as answer', 'a.reason as answer_reason', 'a.created_at as answered_at'])
    .select(
      sql<Date | null>`(
        select min(b.created_at) from operator_log as b where b.about = l.id and b.action <> 'objection-refused'
      )`.as('taken_back_at'),
    )
type Row = Awaited<ReturnType<ReturnType<typeof decisions>['executeTakeFirstOrThrow']>>

const view = (row: Row): Notice => ({
  id: row.id,
  action: row.action as Action,
  listing: row.listing,
  review: row.review,
  reason: row.reason,
  rule: row.rule,
  created_at: row.created_at.toISOString(),
  taken_back_at: row.taken_back_at?.toISOString() ?? null,
  objection:
    row.words === null || row.objected_at === null
      ? null
      : {
          words: row.words,
          created_at: row.objected_at.toISOString(),
          answer:
            row.answered_at === null
              ? null
              : {
                  upheld: row.answer !== 'objection-refused',
                  reason: row.answer_reason ?? '',
                  created_at: row.answered_at.toISOString(),
                },
        },
})

/** What was decided about somebody, newest first, at most 100. */
export async function list(db: Database, person: Id): Promise<Notice[]> {
  const rows = await decisions(db)
    .where('l.person_id', '=', person)
    .where('l.action', 'in', NOTIFIED)
    .orderBy('l.id', 'desc')
    .limit(MOST_SHOWN)
    .execute()
  return rows.map(view)
}

/** A decision about somebody. Undefined if it is unknown, or about somebody else. */
async function find(db: Database, person: Id, id: Id): Promise<Notice | undefined> {
  const row = await decisions(db)
    .where('l.id', '=', id)
    .where('l.person_id', '=', person)
    .where('l.action', 'in', NOTIFIED)
    .executeTakeFirst()
  return row && view(row)
}

/** Requires that a decision is about somebody. @throws Problem 404 */
export async function requireOwn(db: Database, person: Id, id: Id): Promise<Notice> {
  const decision = await find(db, person, id)
  if (!decision) throw new Problem(404, 'There is no such notice')
  return decision
}

/**
 * Objects to a decision, once.
 * @throws Problem 404 if it is about somebody else, 409 if it is no measure, was taken back, or has an objection
 */
export async function object(db: Database, person: Id, id: Id, words: string): Promise<Notice> {
  try {
    await transaction(db, async db => {
      // It is not taken back at the same moment.
      await db.selectFrom('operator_log').select('id').where('id', '=', id).forNoKeyUpdate().execute()
      const { action, taken_back_at } = await requireOwn(db, person, id)
      if (!OBJECTIONABLE.includes(action) || taken_back_at)
        throw new Problem(409, 'There is nothing left to object to')
      await db.insertInto('objections').values({ decision_id: id, person_id: person, words }).execute()
      await tellOperators(db, 'objection-waits', id)
    })
  } catch (error) {
    if (brokenConstraint(error) !== 'objections_pkey') throw error
    throw new Problem(409, 'You have objected to this already', { cause: error })
  }
  return requireOwn(db, person, id)
}

/** Objections that wait for an answer, oldest first, at most 100. @param operator who looks at them */
export async function openObjections(db: Database, operator: Id): Promise<OpenObjection[]> {
  const rows = await decisions(db)
    .innerJoin('users as u', 'u.id', 'o.person_id')
    .select(['u.username', 'u.id as objector_id'])
    .where('o.answered_by', 'is', null)
    .orderBy('o.created_at')
    .limit(MOST_SHOWN)
    .execute()
  return rows.map(row => ({
    decision: view(row),
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
    const decision = await decisions(db).where('l.id', '=', id).executeTakeFirstOrThrow()
    refuseOwn(operator, objection.person_id)
    if (decision.operator_id === operator && (await hasOthers(db, operator)))
      throw new Problem(409, 'Another operator answers an objection to what you decided')
    if (upheld && (await takeBack(db, operator, decision.id, reason))) return
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

/** Undoes a decision, which answers the objection to it. @returns false if what it was about is gone */
async function takeBack(db: Database, operator: Id, id: Id, reason: string): Promise<boolean> {
  const { action, product_id, review_id, person_id } = await db
    .selectFrom('operator_log')
    .select(['action', 'product_id', 'review_id', 'person_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  try {
    if (action === 'review-hidden' && review_id !== null) await showReviewOf(db, operator, review_id, reason)
    else if (action === 'listing-hidden' && product_id !== null)
      await showListing(db, operator, product_id, reason)
    else if (person_id !== null) await restore(db, operator, person_id, reason)
    return true
  } catch (problem) {
    if (problem instanceof Problem && problem.status === 404) return false
    throw problem
  }
}

async function hasOthers(db: Database, operator: Id): Promise<boolean> {
  const other = await db
    .selectFrom('operators')
    .select('user_id')
    .where('user_id', '<>', operator)
    .executeTakeFirst()
  return other !== undefined
}
