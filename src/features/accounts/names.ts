import { sql } from 'kysely'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { violatedConstraint } from '#platform/database/database-errors.ts'
import { Problem } from '#problem'
import { clash } from './accounts.ts'
import { refuseBrandedUsername } from './brand-in-name.ts'
import type { Names, User } from './contract.ts'
import { loggedOut } from './find-user.ts'
import { keepForUser, MAX_CHANGES, RECENT_DAYS, recentChanges, reclaimUsername } from './former-usernames.ts'
import { userColumns } from './session-store.ts'

/** Listings of one statement, about a millisecond each. */
const AT_ONCE = 500

/** Message above MAX_CHANGES. */
const TOO_OFTEN = `Username was changed ${MAX_CHANGES} times in ${RECENT_DAYS} days. Please wait before you change it again`

/**
 * Changes names and username. The old username leads to the user for a year, and no one else can use it.
 * @throws Problem 400 if the username is in use, or looks like one, or like the name of this marketplace; 409 if it
 * was changed too often
 */
export async function changeNames(db: Database, id: Id, names: Names): Promise<User> {
  try {
    return await transaction(db, async db => {
      // Waits for new listings of this user, and they wait: they are found by these names.
      const { username } = await db
        .selectFrom('users')
        .select('username')
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirstOrThrow(loggedOut)
      if (username.toLowerCase() !== names.username.toLowerCase()) {
        await refuseBrandedUsername(db, names.username)
        await reclaimUsername(db, id, names.username)
        if ((await recentChanges(db, id)) >= MAX_CHANGES) throw new Problem(409, TOO_OFTEN)
        await keepForUser(db, id)
      }
      const user = await db
        .updateTable('users')
        .set(names)
        .where('id', '=', id)
        .returning(userColumns)
        .executeTakeFirstOrThrow()
      await recatalogue(db, id)
      return user
    })
  } catch (error) {
    if (!violatedConstraint(error)) throw error
    throw await clash(db, names, error, id)
  }
}

/** Writes the listings of a user in the catalogue again, which finds them by the names that the user shows. */
export async function recatalogue(db: Database, id: Id): Promise<void> {
  for (let last: Id | null = 0; last !== null; ) {
    const next: { rows: { last: Id | null }[] } = await sql<{ last: Id | null }>`
      select recatalogue_seller(${id}, ${last}, ${AT_ONCE}) as last
    `.execute(db)
    last = next.rows[0]?.last ?? null
  }
  await sql`
    select add_vocabulary(searched_names(users), id) from users
    where id = ${id} and exists (select from catalogue where seller_id = users.id)
  `.execute(db)
}
