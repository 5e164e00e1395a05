import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { approve } from '#accounts/approval.ts'
import { hashToken } from '#accounts/tokens.ts'
import type { Id } from '#contract'
import { record } from '#operators/log.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { type Invitation, UNUSABLE_INVITATION } from './contract.ts'

/** Most invitations that are listed. */
const MAX_SHOWN = 100

/**
 * Creates an invitation, a link that approves sellers, with an entry in the log.
 * @returns its id, and its code: 128 random bits as base64url, of which only the SHA-256 is stored
 */
export function invite(
  db: Database,
  operator: Id,
  { note, uses, days }: { note: string; uses: number; days: number },
): Promise<{ id: Id; code: string }> {
  const code = randomBytes(16).toString('base64url')
  return transaction(db, async db => {
    const { id } = await db
      .insertInto('invitations')
      .values({
        token_hash: hashToken(code),
        note,
        uses_left: uses,
        expires_at: sql<Date>`now() + make_interval(days => ${days})`,
        created_by: operator,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await record(db, operator, { action: 'invitation-made', reason: note })
    return { id, code }
  })
}

/**
 * Approves a user with the code of an invitation as a seller, and deletes their open application. An approved user
 * uses up nothing.
 * @throws Problem 410 for an unknown code, and one that is used up, taken back or too old
 */
export async function accept(db: Database, userId: Id, code: string): Promise<void> {
  await transaction(db, async db => {
    // Before the user is locked: the lock order of an operator's answer to the application.
    await db
      .deleteFrom('applications')
      .where('user_id', '=', userId)
      .where('answered_by', 'is', null)
      .execute()
    const person = await db
      .selectFrom('users')
      .select('approved_at')
      .where('id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (person?.approved_at) return
    const used = await db
      .updateTable('invitations')
      .set(eb => ({ uses_left: eb('uses_left', '-', 1) }))
      .where('token_hash', '=', hashToken(code))
      .where('uses_left', '>', 0)
      .where('expires_at', '>', sql<Date>`now()`)
      .where('revoked_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!used) throw new Problem(410, UNUSABLE_INVITATION)
    await db.insertInto('invitation_uses').values({ user_id: userId, invitation_id: used.id }).execute()
    await approve(db, userId)
  })
}

/** Invitations, newest first, at most 100. */
export async function list(db: Database): Promise<Invitation[]> {
  const rows = await db
    .selectFrom('invitations as i')
    .select(['i.id', 'i.note', 'i.uses_left', 'i.expires_at', 'i.revoked_at'])
    .select(eb =>
      eb
        .selectFrom('invitation_uses as u')
        .select(sql<number>`count(*)::int`.as('uses'))
        .whereRef('u.invitation_id', '=', 'i.id')
        .as('uses'),
    )
    .orderBy('i.id', 'desc')
    .limit(MAX_SHOWN)
    .execute()
  return rows.map(({ revoked_at, expires_at, uses, ...row }) => ({
    ...row,
    uses: uses ?? 0,
    expires_at: expires_at.toISOString(),
    revoked: revoked_at !== null,
  }))
}

/** Takes an invitation back, with an entry in the log. @throws Problem 404 unknown, 409 if it is taken back already */
export async function revoke(db: Database, operator: Id, id: Id, reason: string): Promise<void> {
  await transaction(db, async db => {
    const found = await db
      .selectFrom('invitations')
      .select('revoked_at')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!found) throw new Problem(404, 'There is no such invitation')
    if (found.revoked_at) throw new Problem(409, 'This invitation is taken back already')
    await db.updateTable('invitations').set({ revoked_at: sql<Date>`now()` }).where('id', '=', id).execute()
    await record(db, operator, { action: 'invitation-revoked', reason })
  })
}
