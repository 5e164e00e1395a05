import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { hasUsername } from './find-user.ts'

/** How long a username that was given up leads to its user, and is held against others, days. */
export const HELD_DAYS = 365
/** Usernames that one user can give up in RECENT_DAYS. One that they take back does not count. */
export const MAX_CHANGES = 3
export const RECENT_DAYS = 30

/** SQL: the end of the time for which a name given up now is held. */
const HELD_UNTIL = sql<Date>`now() + make_interval(days => ${HELD_DAYS})`
/** SQL: the hashes of the username in a row of users. */
const NAME_HASH = sql<Buffer>`sha256(convert_to(lower(username), 'UTF8'))`
const SKELETON_HASH = sql<Buffer>`sha256(convert_to(skeleton(username), 'UTF8'))`
const LOOK_HASH = sql<Buffer>`sha256(convert_to(shop_name_look(username), 'UTF8'))`

/** Holds the present username of a user for them. The caller has locked their row. */
export async function keepForUser(db: Database, id: Id): Promise<void> {
  await db
    .insertInto('former_usernames')
    .columns(['user_id', 'username', 'name_hash', 'skeleton_hash', 'look_hash', 'held_until'])
    .expression(eb =>
      eb
        .selectFrom('users')
        .select(['users.id', 'users.username'])
        .select([NAME_HASH.as('name_hash'), SKELETON_HASH.as('skeleton_hash'), LOOK_HASH.as('look_hash')])
        .select(HELD_UNTIL.as('held_until'))
        .where('users.id', '=', id),
    )
    .onConflict(known =>
      // An expired entry of another user, which is not cleaned up yet.
      known.expression(sql`lower(username)`).doUpdateSet({
        user_id: id,
        username: sql`excluded.username`,
        skeleton_hash: sql`excluded.skeleton_hash`,
        look_hash: sql`excluded.look_hash`,
        held_until: sql`excluded.held_until`,
        left_at: sql`now()`,
      }),
    )
    .execute()
}

/** A user takes a name back that they gave up. */
export async function reclaimUsername(db: Database, id: Id, username: string): Promise<void> {
  await db.deleteFrom('former_usernames').where('user_id', '=', id).where(hasUsername(username)).execute()
}

/** How many usernames a user has given up in the last RECENT_DAYS, and not taken back. */
export async function recentChanges(db: Database, id: Id): Promise<number> {
  const { count } = await db
    .selectFrom('former_usernames')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', id)
    .where('left_at', '>', sql<Date>`now() - make_interval(days => ${RECENT_DAYS})`)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Before an account is deleted: holds its usernames as hashes, without their user, so that nobody can pose as this
 * maker.
 */
export async function holdByHashes(db: Database, id: Id): Promise<void> {
  await keepForUser(db, id)
  await db
    .updateTable('former_usernames')
    .set({ user_id: null, username: null })
    .where('user_id', '=', id)
    .execute()
}

/** Whether the username, or one that looks like it, is held for another user. */
export async function isHeld(db: Database, username: string, id?: Id): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select is_held(${username}, skeleton(${username}), ${id ?? 0}::bigint) as held
  `.execute(db)
  return rows[0]?.held ?? false
}

/** Whether a username of this look (`shop_name_look`) is held for another user. */
export async function isLookHeld(db: Database, look: string, id: Id): Promise<boolean> {
  const held = await db
    .selectFrom('former_usernames')
    .select('held_until')
    .where('look_hash', '=', sql<Buffer>`sha256(convert_to(${look}, 'UTF8'))`)
    .where(sql<boolean>`user_id is distinct from ${id}`)
    .where('held_until', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return held !== undefined
}

/** Deletes the names that are held no longer. */
export async function sweepFormerUsernames(db: Database): Promise<void> {
  await db.deleteFrom('former_usernames').where('held_until', '<=', sql<Date>`now()`).execute()
}
