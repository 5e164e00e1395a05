import { sql } from 'kysely'
import { type Id, LIST_LIMIT } from '#contract'
import type { Action } from '#operators/contract.ts'
import { decodeCursor, pageOf } from '#platform/database/cursor.ts'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import type { Notice, NoticePage, NoticesQuery } from './notices-contract.ts'

/** Decisions that the user concerned may object to. */
export const OBJECTIONABLE: readonly Action[] = [
  'listing-hidden',
  'review-hidden',
  'reply-hidden',
  'person-suspended',
]
/** Decisions that the user concerned reads: those, and the ones that take them back. */
const NOTIFIED: Action[] = [
  ...OBJECTIONABLE,
  'listing-shown',
  'review-shown',
  'reply-shown',
  'person-restored',
]

/** SQL: whether the decision `l` hides the reply that the review `r` has now. Both are of one transaction, so of one moment. */
export const isOfReply = sql<boolean>`(l.action = 'reply-hidden' and r.reply_hidden_at = l.created_at)`

/** Decisions with what they are about, and the objection to each. */
export const decisions = (db: Database) =>
  db
    .selectFrom('operator_log as l')
    .leftJoin('products as p', 'p.id', 'l.product_id')
    .leftJoin('reviews as r', 'r.id', 'l.review_id')
    .leftJoin('objections as o', 'o.decision_id', 'l.id')
    .leftJoin('operator_log as a', 'a.id', 'o.answered_by')
    .select(['l.id', 'l.action', 'l.reason', 'l.rule', 'l.created_at', 'l.operator_id', 'l.person_id'])
    .select(['p.name as listing', 'r.id as review_id', 'o.words', 'o.created_at as objected_at'])
    .select([
      sql<string | null>`case when l.action not in ('reply-hidden', 'reply-shown') then r.review end`.as(
        'review',
      ),
      sql<string | null>`case when ${isOfReply} then r.reply end`.as('reply'),
    ])
    .select(['a.action as answer', 'a.reason as answer_reason', 'a.created_at as answered_at'])
    .select(
      sql<Date | null>`(
        select min(b.created_at) from operator_log as b where b.about = l.id and b.action <> 'objection-refused'
      )`.as('taken_back_at'),
    )
type Row = Awaited<ReturnType<ReturnType<typeof decisions>['executeTakeFirstOrThrow']>>

/** A decision as the user concerned reads it. */
export const view = (row: Row): Notice => ({
  id: row.id,
  action: row.action as Action,
  listing: row.listing,
  review: row.review,
  review_id: row.review === null && row.reply === null ? null : row.review_id,
  reply: row.reply,
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

const about = (db: Database, person: Id) =>
  decisions(db).where('l.person_id', '=', person).where('l.action', 'in', NOTIFIED)

/** A page of the decisions about a user, newest first. @throws Problem 400 for an invalid cursor */
export async function list(
  db: Database,
  person: Id,
  { limit = LIST_LIMIT, cursor, from }: NoticesQuery,
): Promise<NoticePage> {
  let query = about(db, person)
    .orderBy('l.id', 'desc')
    .limit(limit + 1)
  if (from !== undefined) query = query.where('l.id', '<=', from)
  if (cursor !== undefined) {
    const [last] = decodeCursor(cursor, /^notice\.([1-9]\d{0,15})$/)
    query = query.where('l.id', '<', Number(last))
  }
  const { page, next_cursor } = pageOf(await query.execute(), limit, last => ['notice', last.id])
  return { notices: page.map(view), next_cursor }
}

/** Decisions about a user after this one, oldest first. @param most how many at most */
export async function listAfter(db: Database, person: Id, after: Id, most: number): Promise<Notice[]> {
  const rows = await about(db, person).where('l.id', '>', after).orderBy('l.id').limit(most).execute()
  return rows.map(view)
}

/** A decision about this user. Undefined if it is unknown, or about another user. */
async function find(db: Database, person: Id, id: Id): Promise<Notice | undefined> {
  const row = await about(db, person).where('l.id', '=', id).executeTakeFirst()
  return row && view(row)
}

/** A decision about this user. @throws Problem 404 if it is unknown, or about another user */
export async function requireOwn(db: Database, person: Id, id: Id): Promise<Notice> {
  const decision = await find(db, person, id)
  if (!decision) throw new Problem(404, 'There is no such notice')
  return decision
}
