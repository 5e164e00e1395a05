import { sql } from 'kysely'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { type Holiday, type HolidayInput, OVER } from './contract.ts'

const today = sql<string>`(now() at time zone 'UTC')::date`

/** The own holiday that is on or still comes, null without one. */
export async function find(db: Database, userId: Id): Promise<Holiday | null> {
  const row = await db
    .selectFrom('shops')
    .select(['away_from as from', 'away_until as until', 'away_note as note'])
    .select(sql<boolean>`away_from <= ${today}`.as('away'))
    .where('user_id', '=', userId)
    .where('away_until', '>=', today)
    .executeTakeFirst()
  const { from, until } = row ?? {}
  return row && from && until ? { ...row, from, until } : null
}

/** Sets the holiday, in place of any other. @throws Problem 400 if it is over already */
export async function set(db: Database, userId: Id, { from, until, note }: HolidayInput): Promise<Holiday> {
  const { over } = await db
    .selectNoFrom(sql<boolean>`${until}::date < ${today}`.as('over'))
    .executeTakeFirstOrThrow()
  if (over) throw new Problem(400, OVER)
  const holiday = { away_from: from, away_until: until, away_note: note }
  // A transaction is tried again after a deadlock, as with a change of the shop in another tab.
  const { away } = await transaction(db, db =>
    db
      .insertInto('shops')
      .values({ user_id: userId, ...holiday })
      .onConflict(conflict => conflict.column('user_id').doUpdateSet(holiday))
      .returning(sql<boolean>`away_from <= ${today}`.as('away'))
      .executeTakeFirstOrThrow(),
  )
  return { from, until, note, away }
}

/** Ends the holiday, or calls it off. None is no error. */
export async function end(db: Database, userId: Id): Promise<void> {
  await db
    .updateTable('shops')
    .set({ away_from: null, away_until: null, away_note: '' })
    .where('user_id', '=', userId)
    .execute()
}
