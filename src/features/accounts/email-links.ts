import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { hashToken, newToken } from './tokens.ts'

/** What the reader of the address may do with the link. */
export type LinkPurpose = 'reset' | 'confirm' | 'change'

/** A link that proves that its user reads this address. */
export interface EmailLink {
  id: Id
  user_id: Id
  /** Where its letter went. Of a change: the new address. */
  email: string
  /** An operator gave it to its owner, without a letter: its use does not show that the user reads the address. */
  by_hand: boolean
}

interface NewLink {
  userId: Id
  purpose: LinkPurpose
  email: string
  /** Of a change: the address until then. */
  formerEmail?: string
  /** An operator gives it to its owner: no letter contains it. */
  byHand?: boolean
}

/**
 * Inserts a link without a token. Call it in the transaction that queues its letter, whose subject is this id.
 * @returns its id
 */
export async function createLink(
  db: Database,
  { userId, purpose, email, formerEmail, byHand = false }: NewLink,
): Promise<Id> {
  const { id } = await db
    .insertInto('email_links')
    .values({ user_id: userId, purpose, email, former_email: formerEmail ?? null, by_hand: byHand })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Makes the token of a link when its letter is written: 256 random bits, of which only the SHA-256 is stored. If the letter is
 * written again, the first one may have arrived: its token stays valid for its own time, and the new one gets another row.
 * @param minutes lifetime
 * @returns the token as base64url and the address; undefined if the link was used meanwhile
 */
export async function issueToken(
  db: Database,
  id: Id,
  minutes: number,
): Promise<{ token: string; email: string } | undefined> {
  const token = newToken()
  const token_hashes = sql<Buffer[]>`array[${hashToken(token)}::bytea]`
  const expires_at = sql<Date>`now() + make_interval(mins => ${minutes}::int)`
  const first = await db
    .updateTable('email_links')
    .set({ token_hashes, expires_at })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', 'is', null)
    .returning('email')
    .executeTakeFirst()
  if (first) return { token, email: first.email }
  const again = await db
    .insertInto('email_links')
    .columns(['user_id', 'purpose', 'email', 'former_email', 'by_hand', 'token_hashes', 'expires_at'])
    .expression(eb =>
      eb
        .selectFrom('email_links')
        .select(['user_id', 'purpose', 'email', 'former_email', 'by_hand'])
        .select([token_hashes.as('token_hashes'), expires_at.as('expires_at')])
        .where('id', '=', id)
        .where('used_at', 'is', null),
    )
    .returning('email')
    .executeTakeFirst()
  return again && { token, email: again.email }
}

/** The link of this token. Undefined if it is unknown, used or expired. */
export async function findLink(
  db: Database,
  purpose: LinkPurpose,
  token: string,
): Promise<EmailLink | undefined> {
  const found = await db
    .selectFrom('email_links')
    .select(['id', 'user_id', 'email', 'by_hand'])
    .where('token_hashes', '@>', sql<Buffer[]>`array[${hashToken(token)}::bytea]`)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('user_id', 'is not', null)
    .$narrowType<{ user_id: Id }>()
    .executeTakeFirst()
  return found
}

/**
 * Uses up the link of this token, and all others of its user for this purpose. Call it in the transaction of the
 * change that it allows: of two concurrent uses, one gets the link.
 * @returns undefined as in `findLink`
 */
export async function useLink(
  db: Database,
  purpose: LinkPurpose,
  token: string,
): Promise<EmailLink | undefined> {
  const link = await findLink(db, purpose, token)
  if (!link) return undefined
  const deleted = await deleteLinks(db, link.user_id, purpose)
  return deleted.includes(link.id) ? link : undefined
}

/** Deletes the unused links of a user for this purpose. @returns their ids */
export async function deleteLinks(db: Database, userId: Id, purpose: LinkPurpose): Promise<Id[]> {
  const deleted = await db
    .deleteFrom('email_links')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .returning('id')
    .execute()
  return deleted.map(({ id }) => id)
}

const WEEK_AGO = sql<Date>`now() - interval '7 days'`

/**
 * Deletes links that were made a week ago and have expired, and those used a week ago. A letter that could not be sent is
 * written again for days, with the same link.
 */
export async function sweepLinks(db: Database): Promise<void> {
  await db
    .deleteFrom('email_links')
    .where(eb =>
      eb.or([
        eb.and([
          eb('used_at', 'is', null),
          eb('created_at', '<', WEEK_AGO),
          eb.or([eb('expires_at', 'is', null), eb('expires_at', '<=', sql<Date>`now()`)]),
        ]),
        eb('used_at', '<', WEEK_AGO),
      ]),
    )
    .execute()
}
