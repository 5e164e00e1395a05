import { sql } from 'kysely'
import { type Id, LIST_LIMIT, type ListQuery } from '#contract'
import { decodeCursor, fromMicroseconds, pageOf, toMicroseconds } from '#platform/database/cursor.ts'
import type { Database } from '#platform/database/database.ts'
import type { LetterKinds } from '#platform/mail/delivery.ts'
import { headerText } from '#platform/mail/letter-text.ts'
import type { Notification, NotificationPage } from './contract.ts'

const CURSOR = /^(\d{1,18})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Kinds of letters, and the name of the shop, which they may contain. */
interface Letters {
  kinds: LetterKinds
  shop: string
}

/**
 * A page of a user's notifications, newest first. They are the rows of the outbox, and have the words of the letter as it would
 * be written now, so that the two never differ. A page is shorter where a fact was deleted.
 * @throws Problem 400 for an invalid cursor
 */
export async function list(
  db: Database,
  letters: Letters,
  userId: Id,
  { limit = LIST_LIMIT, cursor }: ListQuery,
): Promise<NotificationPage> {
  let query = db
    .selectFrom('outbox as o')
    .innerJoin('users as u', 'u.id', 'o.recipient')
    .select(['o.id', 'o.kind', 'o.subject', 'o.created_at'])
    .select(sql<boolean>`o.created_at > u.notifications_seen_at`.as('unread'))
    .select(sql<string>`${toMicroseconds(sql`o.created_at`)}::text`.as('at'))
    .where('o.recipient', '=', userId)
    .where(sql<boolean>`o.notify`)
    .orderBy('o.created_at', 'desc')
    .orderBy('o.id', 'desc')
    .limit(limit + 1)
  if (cursor !== undefined) {
    const [at, id] = decodeCursor(cursor, CURSOR)
    query = query.where(sql<boolean>`(o.created_at, o.id) < (${fromMicroseconds(at)}, ${id}::uuid)`)
  }
  const rows = await query.execute()
  const { page, next_cursor } = pageOf(rows, limit, last => [last.at, last.id])
  // Concurrently: the facts of most kinds are looked up in one statement.
  const written = await Promise.all(page.map(row => write(db, letters, userId, row)))
  return {
    notifications: written.flat(),
    next_cursor,
    // Also if its fact was deleted: it counts as unread until then.
    newest_unread: page.find(({ unread }) => unread)?.id ?? null,
  }
}

interface Row {
  id: string
  kind: string
  subject: number
  created_at: Date
  unread: boolean
}

/** The notification of a row: subject and first link of its letter. Empty if there is nothing left to say. */
async function write(
  db: Database,
  { kinds, shop }: Letters,
  recipient: Id,
  { id, kind, subject, created_at, unread }: Row,
): Promise<Notification[]> {
  // During an upgrade, another process may know this kind.
  const written = await kinds[kind]?.write(db, { subject, recipient }, shop)
  if (!written) return []
  const { letter } = written
  const link = letter.parts.find(part => 'path' in part)
  const text = headerText(letter.subject)
  return [{ id, text, path: link?.path ?? null, created_at: created_at.toISOString(), unread }]
}
