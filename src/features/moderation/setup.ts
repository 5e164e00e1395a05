import { sql } from 'kysely'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { queueLetters } from '#platform/mail/outbox.ts'
import type { SetupState } from './setup-contract.ts'

/** The kind of the letter that tries the mail server. */
export const TEST_LETTER = 'mail-test'

/** The state of the setup. @param operator whose latest test letter counts */
export async function state(db: Database, operator: Id): Promise<Omit<SetupState, 'has_mail_server'>> {
  const [row, letter] = await Promise.all([
    db
      .selectNoFrom(eb => [
        eb.selectFrom('brand').select('name').$asScalar().as('name'),
        eb.selectFrom('site_settings').select('set_up_at').$asScalar().as('set_up_at'),
        sql<boolean>`exists (select from operator_log where action = 'settings-changed')`.as('selling'),
        sql<number>`(select count(*)::int from operators)`.as('operators'),
        sql<number>`(select count(*)::int from pages where published_version is not null)`.as('published'),
      ])
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('outbox')
      .select(['due_at', 'failed_at', 'last_error'])
      .where('kind', '=', TEST_LETTER)
      .where('recipient', '=', operator)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ])
  return {
    brand: row.name !== null,
    selling: row.selling,
    letter: !letter ? 'none' : letter.failed_at ? 'failed' : letter.due_at ? 'waiting' : 'sent',
    letter_error: letter?.last_error ?? '',
    pages_published: row.published,
    operators: row.operators,
    ended: row.set_up_at !== null,
  }
}

/** Queues a letter to an operator, to try the mail server. */
export async function sendTestLetter(db: Database, operator: Id): Promise<void> {
  await transaction(db, async db => {
    const { subject } = await db
      .selectNoFrom(sql<number>`nextval('ids')`.as('subject'))
      .executeTakeFirstOrThrow()
    await queueLetters(db, [{ kind: TEST_LETTER, subject, recipient: operator }])
  })
}
