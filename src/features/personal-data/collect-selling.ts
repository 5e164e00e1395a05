import type { Id } from '#contract'
import * as sellerDetails from '#onboarding/seller-details.ts'
import type { Database } from '#platform/database/database.ts'

/** For the data export: how the user became a seller, and their seller details. */
export async function selling(db: Database, id: Id) {
  const { approved_at } = await db
    .selectFrom('users')
    .select('approved_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    approved_at,
    applications: await db
      .selectFrom('applications as a')
      .leftJoin('operator_log as l', 'l.id', 'a.answered_by')
      .select(['a.id', 'a.words', 'a.created_at', 'a.accepted', 'l.reason as answer'])
      .where('a.user_id', '=', id)
      .orderBy('a.id')
      .execute(),
    invitation:
      (await db
        .selectFrom('invitation_uses')
        .select(['invitation_id', 'used_at'])
        .where('user_id', '=', id)
        .executeTakeFirst()) ?? null,
    details: await sellerDetails.collect(db, id),
  }
}
