import { approve } from '#accounts/approval.ts'
import type { Id } from '#contract'
import { record } from '#operators/log.ts'
import { notifyOperators } from '#operators/notify-operators.ts'
import { refuseOwn } from '#operators/own.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { queueLetters } from '#platform/mail/outbox.ts'
import { Problem } from '#problem'
import type { Application, OpenApplication } from './contract.ts'
import { permissionOf } from './may-sell.ts'

/** Most applications of one page of the queue. */
const MAX_SHOWN = 100

/** The last application of a user. Null without one. */
export async function lastOf(db: Database, userId: Id): Promise<Application | null> {
  const row = await db
    .selectFrom('applications as a')
    .leftJoin('operator_log as l', 'l.id', 'a.answered_by')
    .select(['a.words', 'a.created_at', 'a.accepted', 'l.reason'])
    .where('a.user_id', '=', userId)
    .orderBy('a.id', 'desc')
    .executeTakeFirst()
  return row ? { ...row, created_at: row.created_at.toISOString(), reason: row.reason ?? '' } : null
}

/**
 * Applies to sell.
 * @throws Problem 409 if they may sell already, if one waits, or if the shop takes no applications
 */
export async function apply(db: Database, userId: Id, words: string): Promise<void> {
  const { who_may_sell, may_sell } = await permissionOf(db, userId)
  if (may_sell) throw new Problem(409, 'You may sell already')
  if (who_may_sell !== 'approval') throw new Problem(409, 'You need an invitation to sell here')
  await transaction(db, async db => {
    const added = await db
      .insertInto('applications')
      .values({ user_id: userId, words })
      .onConflict(conflict => conflict.column('user_id').where('answered_by', 'is', null).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) throw new Problem(409, 'Your application waits for an answer already')
    await notifyOperators(db, 'application-waits', added.id)
  })
}

/** Applications that wait, oldest first, at most 100. */
export async function open(db: Database): Promise<OpenApplication[]> {
  const rows = await db
    .selectFrom('applications as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .select(['a.id', 'a.words', 'a.created_at', 'u.id as person_id', 'u.username', 'u.email'])
    .select(['u.first_name', 'u.last_name', 'u.email_confirmed_at'])
    .where('a.answered_by', 'is', null)
    .orderBy('a.id')
    .limit(MAX_SHOWN)
    .execute()
  return rows.map(({ first_name, last_name, email_confirmed_at, ...row }) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    name: `${first_name} ${last_name}`,
    email_confirmed: email_confirmed_at !== null,
  }))
}

/**
 * Answers an application, with an entry in the log and a letter.
 * @throws Problem 404 unknown, 409 if it is answered already, is the operator's own, or is refused to somebody who may sell
 */
export async function answer(
  db: Database,
  operator: Id,
  id: Id,
  { accepted, reason }: { accepted: boolean; reason: string },
): Promise<void> {
  await transaction(db, async db => {
    const found = await db
      .selectFrom('applications')
      .select(['user_id', 'answered_by'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!found) throw new Problem(404, 'There is no such application')
    if (found.answered_by !== null) throw new Problem(409, 'This application is answered already')
    refuseOwn(operator, found.user_id)
    if (!accepted && (await permissionOf(db, found.user_id)).may_sell)
      throw new Problem(409, 'They may sell already, so there is nothing to refuse')
    const answered_by = await record(db, operator, {
      action: accepted ? 'application-accepted' : 'application-refused',
      person: found.user_id,
      reason,
    })
    await db.updateTable('applications').set({ answered_by, accepted }).where('id', '=', id).execute()
    if (accepted) await approve(db, found.user_id)
    await queueLetters(db, [{ kind: 'application', subject: id, recipient: found.user_id }])
  })
}
