import { sql } from 'kysely'
import { lockUser } from '#accounts/lock-user.ts'
import type { Id } from '#contract'
import { fromCents, toCents } from '#money'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { isAway } from './away.ts'
import {
  type ListingPostage,
  MAX_PROFILES,
  type PickupPlace,
  PROFILE_CHANGED,
  type Profile,
  type ProfileInput,
  type Rate,
  savedAlready,
} from './contract.ts'
import { isSameProfile } from './same-profile.ts'

interface RateRow {
  destination: string
  first_cents: number
  further_cents: number
  days_min: number
  days_max: number
}

/** The rows of the profile `f`, in the order in which they were added. */
const rates = sql<RateRow[]>`(
  select coalesce(json_agg(json_build_object('destination', destination, 'first_cents', first_cents,
    'further_cents', further_cents, 'days_min', days_min, 'days_max', days_max) order by id), '[]')
  from postage_rates where profile_id = f.id
)`
const places = sql<PickupPlace[]>`(
  select coalesce(json_agg(json_build_object('id', id, 'place', place, 'hours', hours) order by id), '[]')
  from pickup_places where profile_id = f.id
)`
const named = sql<number>`(select count(*) from products where postage_profile_id = f.id and deleted_at is null)`

const profiles = (db: Database) =>
  db
    .selectFrom('postage_profiles as f')
    .select(['f.id', 'f.name', 'f.version', 'f.is_default', 'f.from_country'])
    .select([rates.as('rates'), places.as('pickup_places'), named.as('listings')])
type Row = Awaited<ReturnType<ReturnType<typeof profiles>['executeTakeFirstOrThrow']>>

const view = ({ rates, ...row }: Row): Profile => ({ ...row, rates: rates.map(rateOf) })
const rateOf = ({ first_cents, further_cents, ...rate }: RateRow): Rate => ({
  ...rate,
  first: fromCents(first_cents),
  further: fromCents(further_cents),
})

/** Own profiles, oldest first. A user without listings may have none. */
export async function list(db: Database, seller: Id): Promise<Profile[]> {
  const rows = await profiles(db).where('f.seller_id', '=', seller).orderBy('f.id').execute()
  return rows.map(view)
}

async function find(db: Database, id: Id): Promise<Profile> {
  return view(await profiles(db).where('f.id', '=', id).executeTakeFirstOrThrow())
}

/**
 * Adds a profile; the first one is the default. With a repeated idempotency key it changes the first one: its response may have
 * been lost, and the form was edited since.
 * @throws Problem 409 if there are too many, 422 for the key of a profile with another name
 */
export function add(
  db: Database,
  seller: Id,
  input: ProfileInput,
  idempotencyKey: string | undefined,
): Promise<Profile> {
  return transaction(db, async db => {
    await lockUser(db, seller)
    const own = await db
      .selectFrom('postage_profiles')
      .select(['id', 'name', 'added_as', 'is_default'])
      .where('seller_id', '=', seller)
      .execute()
    const before = own.find(({ added_as }) => added_as !== null && added_as === idempotencyKey)
    if (before && before.name !== input.name) throw new Problem(422, savedAlready(before.name))
    if (before) return replace(db, before.id, input)
    if (own.length >= MAX_PROFILES)
      throw new Problem(409, `You have ${MAX_PROFILES} postage profiles, which is the most. Delete one first`)
    const { id } = await db
      .insertInto('postage_profiles')
      .values({
        seller_id: seller,
        name: input.name,
        from_country: input.from_country ?? null,
        is_default: !own.some(({ is_default }) => is_default),
        added_as: idempotencyKey ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeRows(db, id, input)
    return find(db, id)
  })
}

/**
 * Replaces a profile with its rows. Rows that stay keep their ids: carts name pick-up places.
 * @param expected the version that the seller saw. Undefined overwrites any
 * @throws Problem 404 unknown, or another’s; 409 for another version
 */
export function change(
  db: Database,
  seller: Id,
  id: Id,
  input: ProfileInput,
  expected?: number,
): Promise<Profile> {
  return transaction(db, async db => {
    await lockUser(db, seller)
    const { version } = await requireOwn(db, seller, id)
    if (expected !== undefined && version !== expected) {
      // The same profile: a retry after a lost response.
      const stored = await find(db, id)
      if (isSameProfile(stored, input)) return stored
      throw new Problem(409, PROFILE_CHANGED)
    }
    return replace(db, id, input)
  })
}

async function replace(db: Database, id: Id, input: ProfileInput): Promise<Profile> {
  const { name, from_country = null } = input
  await db
    .updateTable('postage_profiles')
    .set({ name, from_country, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
  await writeRows(db, id, input)
  return find(db, id)
}

async function writeRows(db: Database, id: Id, { rates, pickup_places }: ProfileInput): Promise<void> {
  const rate = <K extends keyof (typeof rates)[number]>(name: K) => rates.map(row => row[name])
  const place = (name: 'place' | 'hours') => pickup_places.map(row => row[name])
  await sql`
    with gone as (
      delete from postage_rates where profile_id = ${id} and destination <> all (${rate('destination')}::text[])
    )
    insert into postage_rates (profile_id, destination, first_cents, further_cents, days_min, days_max)
    select ${id}, * from unnest(${rate('destination')}::text[], ${rate('first').map(toCents)}::int[],
      ${rate('further').map(toCents)}::int[], ${rate('days_min')}::int[], ${rate('days_max')}::int[])
    on conflict on constraint postage_rates_once do update set first_cents = excluded.first_cents,
      further_cents = excluded.further_cents, days_min = excluded.days_min, days_max = excluded.days_max
  `.execute(db)
  await sql`
    with gone as (
      delete from pickup_places where profile_id = ${id} and place <> all (${place('place')}::text[])
    )
    insert into pickup_places (profile_id, place, hours)
    select ${id}, * from unnest(${place('place')}::text[], ${place('hours')}::text[])
    on conflict on constraint pickup_places_once do update set hours = excluded.hours
  `.execute(db)
}

/** Makes a profile the default. @throws Problem 404 unknown, or another’s */
export function makeDefault(db: Database, seller: Id, id: Id): Promise<Profile> {
  return transaction(db, async db => {
    await lockUser(db, seller)
    await requireOwn(db, seller, id)
    // One after the other: at no time there are two.
    const ofSeller = db.updateTable('postage_profiles').where('seller_id', '=', seller)
    await ofSeller.set({ is_default: false }).where('is_default', '=', true).where('id', '<>', id).execute()
    await ofSeller.set({ is_default: true }).where('id', '=', id).execute()
    return find(db, id)
  })
}

/** Deletes a profile; its listings then have the default one. @throws Problem 404 unknown, or another’s; 409 for the default */
export function remove(db: Database, seller: Id, id: Id): Promise<void> {
  return transaction(db, async db => {
    await lockUser(db, seller)
    const { is_default } = await requireOwn(db, seller, id)
    if (is_default)
      throw new Problem(409, 'This is your default. Make another profile the default first, then delete it')
    await db.deleteFrom('postage_profiles').where('id', '=', id).execute()
  })
}

/** Requires that a profile is the seller's own. @throws Problem 404 */
export async function requireOwn(
  db: Database,
  seller: Id,
  id: Id,
): Promise<{ is_default: boolean; version: number }> {
  const profile = await db
    .selectFrom('postage_profiles')
    .select(['is_default', 'version'])
    .where('id', '=', id)
    .where('seller_id', '=', seller)
    .executeTakeFirst()
  if (!profile) throw new Problem(404, 'There is no such postage profile of yours')
  return profile
}

/** Postage of a listing, when it is ready, and whether its seller is away. @throws Problem 404 unknown or deleted */
export async function ofListing(db: Database, id: Id): Promise<ListingPostage> {
  const row = await db
    .selectFrom('products as p')
    .innerJoin('postage_profiles as f', join =>
      join
        .onRef('f.seller_id', '=', 'p.seller_id')
        .on(sql<boolean>`(f.id = p.postage_profile_id or p.postage_profile_id is null and f.is_default)`),
    )
    .leftJoin('shops as s', join => join.onRef('s.user_id', '=', 'p.seller_id').on(isAway('s')))
    .select(['p.postage_profile_id', 'p.made_to_order', 'p.handling_days', 'f.from_country'])
    .select([rates.as('rates'), places.as('pickup_places'), 's.away_until as until', 's.away_note as note'])
    .where('p.id', '=', id)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new Problem(404, 'There is no such listing')
  const { rates: found, until, note, ...postage } = row
  return { ...postage, rates: found.map(rateOf), ...(until ? { away: { until, note: note ?? '' } } : {}) }
}
