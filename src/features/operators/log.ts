import { type RawBuilder, sql } from 'kysely'
import { userNamed } from '#accounts/find-user.ts'
import { type Id, LIST_LIMIT, type ListQuery } from '#contract'
import { idIn } from '#id'
import { decodeCursor, pageOf } from '#platform/database/cursor.ts'
import type { Database } from '#platform/database/database.ts'
import type { Action, LogEntry } from './contract.ts'

/** Who acts: an operator, or null for a command on the server. */
export type Actor = Id | null

/** A log entry to write. */
interface NewEntry {
  action: Action
  /** The user concerned. */
  person?: Id | undefined
  product?: Id
  review?: Id
  order?: Id
  /** Id of the log entry that it takes back or answers. */
  about?: Id | undefined
  reason?: string
  rule?: string | undefined
}

/** Writes into the log. Call it in the transaction of the fact. @returns the id of the entry */
export async function record(db: Database, actor: Actor, entry: NewEntry): Promise<Id> {
  const { action, person, product, review, order, about, reason = '', rule = '' } = entry
  const { id } = await db
    .insertInto('operator_log')
    .values({
      operator_id: actor,
      by_command: actor === null,
      action,
      person_id: person ?? null,
      product_id: product ?? null,
      review_id: review ?? null,
      order_id: order ?? null,
      about: about ?? null,
      reason,
      rule,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Entries by or about the person with this username; the entry, or those about the entry, listing, review or order,
 * with this number.
 */
function matching(q: string): RawBuilder<boolean> {
  const id = idIn(q.replace(/^#/, ''))
  const isPerson = sql<boolean>`${userNamed(q)} in (l.operator_id, l.person_id)`
  if (id === undefined) return isPerson
  // A username may be a number too.
  return sql`(${id}::bigint in (l.id, l.about, l.product_id, l.review_id, l.order_id) or ${isPerson})`
}

/**
 * The log, newest first, at most `limit` (default 100) after `cursor`.
 * @param q as in the contract. '' or undefined for all entries
 * @throws Problem 400 for an invalid cursor
 */
export async function list(
  db: Database,
  { limit = LIST_LIMIT, cursor, q }: ListQuery & { q?: string | undefined } = {},
): Promise<{ entries: LogEntry[]; next_cursor: string | null }> {
  const [before] = cursor === undefined ? [] : decodeCursor(cursor, /^log\.([1-9]\d{0,15})$/)
  const rows = await db
    .selectFrom('operator_log as l')
    .leftJoin('users as o', 'o.id', 'l.operator_id')
    .leftJoin('users as u', join => join.onRef('u.id', '=', 'l.person_id').on('u.erased_at', 'is', null))
    .leftJoin('products as p', 'p.id', 'l.product_id')
    .select(['l.id', 'l.action', 'l.by_command', 'l.review_id', 'l.order_id', 'l.about'])
    .select(['l.reason', 'l.rule', 'l.created_at', 'u.username as person'])
    .select([
      'o.first_name',
      'o.last_name',
      'o.username as operator_username',
      'l.product_id',
      'p.name as product',
    ])
    .$if(Boolean(q), query => query.where(matching(q ?? '')))
    .$if(before !== undefined, query => query.where('l.id', '<', Number(before)))
    .orderBy('l.id', 'desc')
    .limit(limit + 1)
    .execute()
  const { page, next_cursor } = pageOf(rows, limit, last => ['log', last.id])
  return {
    entries: page.map(({ first_name, last_name, product_id, product, created_at, action, ...row }) => ({
      ...row,
      action: action as Action,
      operator: first_name === null ? null : `${first_name} ${last_name}`,
      listing: product_id === null ? null : { id: product_id, name: product ?? '' },
      created_at: created_at.toISOString(),
    })),
    next_cursor,
  }
}
