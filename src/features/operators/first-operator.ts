import { sql } from 'kysely'
import { DEMO } from '#accounts/contract.ts'
import { hashToken, newToken } from '#accounts/tokens.ts'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { UNUSABLE_SETUP_LINK } from './contract.ts'
import { record } from './log.ts'
import { isOperator } from './operators.ts'

/**
 * Makes the setup link, which names the first operator, and ends earlier ones. It is printed when the shop starts.
 * @returns its path. Undefined if there is an operator already
 */
export function makeSetupLink(db: Database): Promise<string | undefined> {
  const token = newToken()
  return transaction(db, async db => {
    await lock(db)
    if (await isRun(db)) return undefined
    await db.deleteFrom('setup_links').execute()
    await db
      .insertInto('setup_links')
      .values({ token_hash: hashToken(token) })
      .execute()
    return `/setup/${token}`
  })
}

/**
 * Makes a user the first operator, with an entry in the log. Uses up the setup link.
 * @param token 256 random bits as base64url, of which only the SHA-256 is stored
 * @throws Problem 410 for an unknown link, and as soon as there is an operator; 409 for the demo account
 */
export async function becomeFirst(
  db: Database,
  user: { id: Id; email: string },
  token: string,
): Promise<void> {
  if (user.email === DEMO.email) throw new Problem(409, 'The demo account is everybody’s')
  await transaction(db, async db => {
    await lock(db)
    const used = await db
      .deleteFrom('setup_links')
      .where('token_hash', '=', hashToken(token))
      .returning('token_hash')
      .executeTakeFirst()
    // A retry after a lost response.
    if (!used && (await isOperator(db, user.id))) return
    if (!used || (await isRun(db))) throw new Problem(410, UNUSABLE_SETUP_LINK)
    await db.insertInto('operators').values({ user_id: user.id }).execute()
    await record(db, user.id, {
      action: 'operator-added',
      person: user.id,
      reason: 'by the link of a new shop',
    })
  })
}

/** Serializes uses of the setup link: one of two concurrent users becomes the first operator. */
const lock = (db: Database) =>
  sql`select pg_advisory_xact_lock(hashtextextended('first operator', 0))`.execute(db)

async function isRun(db: Database): Promise<boolean> {
  return (await db.selectFrom('operators').select('user_id').limit(1).executeTakeFirst()) !== undefined
}
