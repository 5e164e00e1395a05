import { sql } from 'kysely'
import type { Id } from '#contract'
import { record } from '#operators/log.ts'
import { notifyOperators } from '#operators/notify-operators.ts'
import { refuseOwn } from '#operators/own.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { queueLetters } from '#platform/mail/outbox.ts'
import { Problem } from '#problem'
import { NO_REPLY } from '#reviews/contract.ts'
import { listingRows, reviewRows } from './lists.ts'
import type { Grounds, NewReport, Subject } from './notices-contract.ts'
import type { Report } from './operate-contract.ts'
import { sidesOf } from './sides.ts'

const NOT_THERE = {
  listing: 'There is no such listing',
  review: 'There is no such review',
  reply: NO_REPLY,
  shop: 'There is no such maker',
} as const

/** Most reports of one page of the queue. */
const MAX_SHOWN = 100

/**
 * Stores a report. A reporter with an account gets a letter that it has arrived.
 * @param reporter undefined without an account
 * @returns its number
 * @throws Problem 404 if there is no such listing, review, reply or shop, 409 if they have an open report of it
 */
export function add(
  db: Database,
  reporter: Id | undefined,
  { about, id }: { about: Subject; id: Id },
  { grounds, words, email }: NewReport,
): Promise<Id> {
  return transaction(db, async db => {
    const subject = await subjectOf(db, about, id)
    if (!subject) throw new Problem(404, NOT_THERE[about])
    const added = await db
      .insertInto('reports')
      .values({
        ...subject,
        reporter_id: reporter ?? null,
        email: reporter === undefined && email ? email : null,
        grounds,
        words,
      })
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) throw new Problem(409, 'You have reported this already. Somebody will answer it')
    await notifyOperators(db, 'report-waits', added.id)
    if (reporter !== undefined)
      await queueLetters(db, [{ kind: 'report-received', subject: added.id, recipient: reporter }])
    return added.id
  })
}

/** Days after the answer for which the address of a reporter without an account is stored. */
const ADDRESS_DAYS = 30

/** Forgets the addresses in reports that were answered long ago. */
export async function sweepAddresses(db: Database): Promise<void> {
  await sql`
    update reports set email = null from operator_log as answer
    where reports.email is not null and answer.id = reports.answered_by
      and answer.created_at < now() - make_interval(days => ${ADDRESS_DAYS})
  `.execute(db)
}

/** The reported listing, review, reply or shop, as columns of `reports`. Undefined if it is not public. */
async function subjectOf(db: Database, about: Subject, id: Id) {
  if (about === 'listing')
    return db
      .selectFrom('products')
      .select(['id as product_id', 'seller_id as person_id'])
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
  if (about === 'review')
    return db
      .selectFrom('reviews as r')
      .innerJoin('products as p', 'p.id', 'r.product_id')
      .select(['r.id as review_id', 'r.product_id', 'r.user_id as person_id'])
      .where('r.id', '=', id)
      .where('r.hidden_at', 'is', null)
      .where('p.deleted_at', 'is', null)
      .executeTakeFirst()
  if (about === 'reply')
    return db
      .selectFrom('reviews as r')
      .innerJoin('products as p', 'p.id', 'r.product_id')
      .select(['r.id as review_id', 'r.product_id', 'p.seller_id as person_id', sql.lit(true).as('of_reply')])
      .where('r.id', '=', id)
      .where('r.reply', 'is not', null)
      .where('r.reply_hidden_at', 'is', null)
      .where('r.hidden_at', 'is', null)
      .where('p.deleted_at', 'is', null)
      .executeTakeFirst()
  return db
    .selectFrom('users')
    .select('id as person_id')
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .where('suspended_at', 'is', null)
    .executeTakeFirst()
}

/** Reports that wait for an answer, oldest first, at most 100, with what they are about. */
export async function open(db: Database): Promise<Report[]> {
  const rows = await db
    .selectFrom('reports as r')
    .leftJoin('users as w', 'w.id', 'r.reporter_id')
    .leftJoin('users as u', 'u.id', 'r.person_id')
    .select(['r.id', 'r.grounds', 'r.words', 'r.created_at', 'r.email', 'r.product_id', 'r.review_id'])
    .select('r.of_reply')
    .select(['w.username as reporter', 'u.id as person_id', 'u.username', 'u.suspended_at'])
    .where('r.answered_by', 'is', null)
    .orderBy('r.id')
    .limit(MAX_SHOWN)
    .execute()
  const listings = await listingRows(db, {
    ids: rows.flatMap(row => (row.product_id === null ? [] : [row.product_id])),
  })
  const reviews = await reviewRows(db, {
    ids: rows.flatMap(row => (row.review_id === null ? [] : [row.review_id])),
  })
  return rows.map(({ product_id, review_id, of_reply, person_id, username, suspended_at, ...row }) => ({
    ...row,
    grounds: row.grounds as Grounds,
    created_at: row.created_at.toISOString(),
    about: of_reply ? 'reply' : review_id !== null ? 'review' : product_id !== null ? 'listing' : 'shop',
    listing: listings.find(({ id }) => id === product_id) ?? null,
    review: reviews.find(({ id }) => id === review_id) ?? null,
    person:
      person_id === null || username === null
        ? null
        : { id: person_id, username, suspended: suspended_at !== null },
  }))
}

/** Closes the open reports about the subject of a decision. Call it in the transaction of the decision. */
export async function closeReports(
  db: Database,
  { person, product, review, ofReply }: { person: Id; product?: Id; review?: Id; ofReply: boolean },
  decision: Id,
): Promise<void> {
  const about = {
    person_id: person,
    product_id: product ?? null,
    review_id: review ?? null,
    of_reply: ofReply,
  }
  // A suspended seller has no public listings.
  await close(db, decision, about, product === undefined)
}

/** What a report is about, as columns. */
interface About {
  person_id: Id | null
  product_id: Id | null
  review_id: Id | null
  of_reply: boolean
}

/**
 * Closes the open reports about a subject, and tells the reporters. @param withListings includes all listings of the
 * user
 */
async function close(db: Database, decision: Id, about: About, withListings = false): Promise<void> {
  const closed = await db
    .updateTable('reports')
    .set({ answered_by: decision })
    .where('answered_by', 'is', null)
    .where('person_id', 'is not distinct from', about.person_id)
    .where('review_id', 'is not distinct from', about.review_id)
    .where('of_reply', '=', about.of_reply)
    .$if(!withListings, query => query.where('product_id', 'is not distinct from', about.product_id))
    .returning(['id', 'reporter_id'])
    .execute()
  await tellReporters(db, closed)
}

/**
 * Dismisses a report, and all others about the same subject.
 * @throws Problem 404 unknown, 409 if it is answered already, or is about the operator or something of theirs
 */
export async function dismiss(db: Database, operator: Id, id: Id, reason: string): Promise<void> {
  await transaction(db, async db => {
    const report = await db
      .selectFrom('reports')
      .select(['person_id', 'product_id', 'review_id', 'of_reply', 'reporter_id', 'answered_by'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!report) throw new Problem(404, 'There is no such report')
    if (report.answered_by !== null) throw new Problem(409, 'This report is answered already')
    const sides = await sidesOf(db, { product: report.product_id, review: report.review_id })
    refuseOwn(operator, report.person_id, ...sides)
    const entry = await record(db, operator, {
      action: 'report-dismissed',
      person: report.person_id ?? undefined,
      ...(report.product_id === null ? {} : { product: report.product_id }),
      ...(report.review_id === null ? {} : { review: report.review_id }),
      reason,
    })
    await close(db, entry, report)
  })
}

const tellReporters = (db: Database, reports: { id: Id; reporter_id: Id | null }[]) =>
  queueLetters(
    db,
    reports.flatMap(({ id, reporter_id }) =>
      reporter_id === null ? [] : [{ kind: 'report-answered', subject: id, recipient: reporter_id }],
    ),
  )
