import { sql } from 'kysely'
import { type Id, LIST_LIMIT, type ListQuery } from '#contract'
import { decodeCursor, pageOf } from '#platform/database/cursor.ts'
import type { Database } from '#platform/database/database.ts'
import { queueLetters, withdrawLetters } from '#platform/mail/outbox.ts'
import { Problem } from '#problem'
import type { Conversation, Message, Side } from './contract.ts'

/** Delay of the letter after the first unread message, minutes. */
const LETTER_MINUTES = 5
/** While a message of so many days is unread, further ones queue no letter. */
const QUIET_DAYS = 7

/** The messages of an order, or of a conversation without one. */
export interface Thread {
  id: Id
  /** Where its messages are. */
  table: 'order_messages' | 'conversation_messages'
  /** The column of that table with its id. */
  column: 'order_id' | 'conversation_id'
  /** The kind of letters about them. */
  letter: 'message' | 'conversation'
}

interface Row {
  id: Id
  role: string
  text: string
  created_at: Date
  read_at: Date | null
}
const columns = sql`id, role, text, created_at, read_at`

/** SQL: the messages of a thread. */
const inThread = ({ id, column }: Thread) => sql`${sql.ref(column)} = ${id}`

/** A message as one side reads it. */
const view = ({ id, role, text, created_at, read_at }: Row, reader: Side): Message => ({
  id,
  role: role as Side,
  text,
  created_at: created_at.toISOString(),
  unread: role !== reader && read_at === null,
})

/**
 * The newest messages, oldest of them first: at most `limit` (default 100), before `cursor`. It marks nothing.
 * @throws Problem 400 for an invalid cursor
 */
export async function page(
  db: Database,
  thread: Thread,
  role: Side,
  { limit = LIST_LIMIT, cursor }: ListQuery,
): Promise<Omit<Conversation, 'can_write'>> {
  const [before] = cursor === undefined ? [] : decodeCursor(cursor, /^([1-9]\d{0,15})$/)
  const { rows } = await sql<Row>`
    select ${columns} from ${sql.table(thread.table)}
    where ${inThread(thread)} and ${before === undefined ? sql`true` : sql`id < ${before}::bigint`}
    order by id desc limit ${limit + 1}
  `.execute(db)
  const { page: found, next_cursor } = pageOf(rows, limit, first => [first.id])
  const messages = found.map(row => view(row, role)).reverse()
  return {
    role,
    messages,
    next_cursor,
    newest_unread: messages.findLast(({ unread }) => unread)?.id ?? null,
  }
}

const OTHER_TEXT = 'This was sent already, with other words. Nothing was sent again'

/** The message that an idempotency key has sent; undefined for a new one. @throws Problem 422 if that had another text */
export async function sentWith(
  db: Database,
  thread: Thread,
  role: Side,
  { text, key }: { text: string; key?: string | undefined },
): Promise<Message | undefined> {
  if (key === undefined) return undefined
  const { rows } = await sql<Row>`
    select ${columns} from ${sql.table(thread.table)} where ${inThread(thread)} and role = ${role} and key = ${key}
  `.execute(db)
  const [known] = rows
  if (known && known.text !== text) throw new Problem(422, OTHER_TEXT)
  return known && view(known, role)
}

/**
 * Adds a message to a locked thread. The first unread message queues a letter, which is sent after five minutes.
 * While it is unread, further messages queue none for a week.
 * @param recipient the other side. A message to oneself counts as read
 */
export async function add(
  db: Database,
  thread: Thread,
  {
    role,
    text,
    key,
    self,
    recipient,
  }: { role: Side; text: string; key?: string | undefined; self: Id; recipient: Id },
): Promise<Message> {
  const isQuiet = !(await hasUnread(db, thread, role))
  const toSelf = recipient === self
  const { rows } = await sql<Row>`
    insert into ${sql.table(thread.table)} (${sql.ref(thread.column)}, role, text, key, created_at, read_at)
    values (${thread.id}, ${role}, ${text}, ${key ?? null}, clock_timestamp(), ${toSelf ? sql`clock_timestamp()` : null})
    returning ${columns}
  `.execute(db)
  const [row] = rows
  if (!row) throw new Error('No message was added')
  if (isQuiet && !toSelf) await queueLetter(db, thread, row.id, recipient)
  return view(row, role)
}

/** Queues the letter, with its notification, that something is unread from this message on. */
const queueLetter = (db: Database, { letter }: Thread, subject: Id, recipient: Id) =>
  queueLetters(db, [{ kind: letter, subject, recipient, notify: true }], LETTER_MINUTES)

/** Whether the other side has not read everything that this one wrote in the last week. An older letter may be forgotten. */
async function hasUnread(db: Database, thread: Thread, role: Side): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(thread.table)} where ${inThread(thread)} and role = ${role} and read_at is null
      and created_at > now() - make_interval(days => ${QUIET_DAYS})
    limit 1
  `.execute(db)
  return rows.length > 0
}

/**
 * Marks messages of the other side of a locked thread as read, up to this one, and withdraws their letter and
 * notification. Queues a letter for the first later message that is unread.
 */
export async function markRead(
  db: Database,
  thread: Thread,
  { reader, role, upTo }: { reader: Id; role: Side; upTo: Id },
): Promise<void> {
  const { rows } = await sql<{ id: Id }>`
    update ${sql.table(thread.table)} set read_at = clock_timestamp()
    where ${inThread(thread)} and role <> ${role} and id <= ${upTo} and read_at is null
    returning id
  `.execute(db)
  await withdrawLetters(db, { kind: thread.letter, recipient: reader, subjects: rows.map(({ id }) => id) })
  if (rows.length === 0) return
  const later = await sql<{ id: Id | null }>`
    select min(id) as id from ${sql.table(thread.table)}
    where ${inThread(thread)} and role <> ${role} and read_at is null
  `.execute(db)
  const next = later.rows[0]?.id
  if (next) await queueLetter(db, thread, next, reader)
}
