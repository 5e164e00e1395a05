import type { Id } from '#contract'
import { brokenConstraint, type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { clash } from './accounts.ts'
import type { Names, User } from './contract.ts'
import { keepForUser, MOST_CHANGES, RECENT_DAYS, recentChanges, takeBack } from './former-usernames.ts'
import { userColumns } from './session-store.ts'

/** Message above MOST_CHANGES. */
const TOO_OFTEN = `Username was changed ${MOST_CHANGES} times in ${RECENT_DAYS} days. Please wait before you change it again`

/**
 * Changes names and username. The old username leads to the user for a year, and nobody else can have it.
 * @throws Problem 400 if the username is in use, or looks like one; 409 if it was changed too often
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
        .executeTakeFirstOrThrow()
      if (username.toLowerCase() !== names.username.toLowerCase()) {
        if ((await recentChanges(db, id)) >= MOST_CHANGES) throw new Problem(409, TOO_OFTEN)
        await takeBack(db, id, names.username)
        await keepForUser(db, id)
      }
      return db
        .updateTable('users')
        .set(names)
        .where('id', '=', id)
        .returning(userColumns)
        .executeTakeFirstOrThrow()
    })
  } catch (error) {
    if (!brokenConstraint(error)) throw error
    throw await clash(db, names, error, id)
  }
}
