import { type Database, transaction } from '#platform/database/database.ts'
import { isForeignKeyViolation } from '#platform/database/database-errors.ts'
import type { LettersTo } from '#platform/mail/unsubscribe.ts'

// Which kinds of letters a user has switched off. `isUnsubscribed` in #platform/mail reads it before a letter is sent.

/** The kinds that a user has switched off. */
export async function switchedOff(db: Database, recipient: number): Promise<string[]> {
  const rows = await db.selectFrom('letters_off').select('kind').where('user_id', '=', recipient).execute()
  return rows.map(({ kind }) => kind)
}

/** Switches off letters of one kind. A user who is gone gets none anyway. */
export async function switchOff(db: Database, { kind, recipient }: LettersTo): Promise<void> {
  try {
    await db
      .insertInto('letters_off')
      .values({ user_id: recipient, kind })
      .onConflict(conflict => conflict.doNothing())
      .execute()
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error
  }
}

/** Switches off letters of these kinds, and switches on all others. A user who is gone gets none anyway. */
export async function chooseOff(db: Database, recipient: number, kinds: string[]): Promise<void> {
  await transaction(db, async db => {
    // Choices of one person run one after the other.
    const user = await db
      .selectFrom('users')
      .select('id')
      .where('id', '=', recipient)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!user) return
    await db.deleteFrom('letters_off').where('user_id', '=', recipient).execute()
    if (kinds.length > 0)
      await db
        .insertInto('letters_off')
        .values(kinds.map(kind => ({ user_id: recipient, kind })))
        .onConflict(conflict => conflict.doNothing())
        .execute()
  })
}
