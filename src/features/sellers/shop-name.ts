import { sql } from 'kysely'
import { brandRefusal } from '#accounts/brand-in-name.ts'
import { HELD_DAYS, isLookHeld } from '#accounts/former-usernames.ts'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { NAMELESS } from './contract.ts'

/** Most new shop names of one maker in RECENT_DAYS, since each stays reserved for good. */
const MAX_NAMES = 4
const RECENT_DAYS = 30

const TAKEN = 'This shop name is taken, or looks like one that is. Please choose another one'
const TOO_OFTEN = `Shop name was changed ${MAX_NAMES} times in ${RECENT_DAYS} days. Please wait before you choose another one`

/** Path of a shop by its name, '' without one: '/shops/wren-daughter'. */
export function shopNamePath(name: string): string {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
  return name && `/shops/${encodeURIComponent(words.filter(Boolean).join('-'))}`
}

/**
 * Reserves a shop name for its maker, in the caller's transaction. Names that look alike (`shop_name_look`) count as
 * one name. It belongs to the first maker who chose it, even after they chose another one.
 * @throws Problem 409 if the name, or one that looks like it, is another user's shop name, present or recent
 * username, or held after a deletion; 409 if it was changed too often; 409 for the name of this marketplace; 400
 * without a letter
 */
export async function claim(db: Database, userId: Id, name: string): Promise<void> {
  const { look } = await db
    .selectNoFrom(sql<string>`shop_name_look(${name})`.as('look'))
    .executeTakeFirstOrThrow()
  const branded = await brandRefusal(db, 'Shop name', name)
  if (look === '') throw new Problem(400, NAMELESS)
  if (branded) throw new Problem(409, branded)
  await sql`select lock_name_look(${look})`.execute(db)
  const { taken, own, recent } = await db
    .selectNoFrom(eb => [
      sql<boolean>`is_held(${name}, skeleton(${name}), ${userId}) or exists (
        select from users where shop_name_look(username) = ${look} and id <> ${userId}
      )`.as('taken'),
      sql<boolean>`exists (select from shop_names where look = ${look} and user_id = ${userId})`.as('own'),
      eb
        .selectFrom('shop_names')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .where('chosen_at', '>', sql<Date>`now() - make_interval(days => ${RECENT_DAYS})`)
        .as('recent'),
    ])
    .executeTakeFirstOrThrow()
  if (taken || (await isLookHeld(db, look, userId))) throw new Problem(409, TAKEN)
  if (own) return
  if ((recent ?? 0) >= MAX_NAMES) throw new Problem(409, TOO_OFTEN)
  await db.insertInto('shop_names').values({ look, user_id: userId }).execute()
}

/**
 * Before an account is deleted: its shop names lead nowhere any more. Their hashes are held for HELD_DAYS, like those
 * of usernames, so that nobody can pose as this maker.
 */
export async function giveUpNames(db: Database, userId: Id): Promise<void> {
  // A concurrent `claim` of one of these names waits, and then finds it held.
  await sql`select lock_name_look(look) from shop_names where user_id = ${userId}`.execute(db)
  await sql`
    with given_up as (delete from shop_names where user_id = ${userId} returning look)
    insert into former_shop_names (look_hash, held_until)
    select sha256(convert_to(look, 'UTF8')), now() + make_interval(days => ${HELD_DAYS}) from given_up
    on conflict (look_hash) do update set held_until = excluded.held_until
  `.execute(db)
}

/** Deletes the shop names that are held no longer. */
export async function sweepFormerShopNames(db: Database): Promise<void> {
  await db.deleteFrom('former_shop_names').where('held_until', '<=', sql<Date>`now()`).execute()
}
