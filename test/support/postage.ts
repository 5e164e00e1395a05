import type { Address } from '#addresses/contract.ts'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import type { Person } from './person.ts'

/** Postage and addresses, written past the API. */

interface ProfileFields {
  name?: string
  /** Destination → first and further piece, integer cents. */
  rates?: Record<string, [first: number, further: number]>
  days?: [min: number, max: number]
  /** Place → hours. */
  places?: Record<string, string>
}

/** Adds a postage profile of a seller. @returns its id, and the ids of its places by their names */
export async function addProfile(
  db: Database,
  { user }: Person,
  { name = 'Parcel', rates = {}, days = [2, 5], places = {} }: ProfileFields,
): Promise<{ id: Id; places: Record<string, Id> }> {
  const { id } = await db
    .insertInto('postage_profiles')
    .values({ seller_id: user.id, name })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [destination, [first_cents, further_cents]] of Object.entries(rates)) {
    const [days_min, days_max] = days
    const row = { profile_id: id, destination, first_cents, further_cents, days_min, days_max }
    await db.insertInto('postage_rates').values(row).execute()
  }
  const ids: Record<string, Id> = {}
  for (const [place, hours] of Object.entries(places)) {
    const row = { profile_id: id, place, hours }
    const added = await db.insertInto('pickup_places').values(row).returning('id').executeTakeFirstOrThrow()
    ids[place] = added.id
  }
  return { id, places: ids }
}

/** Gives listings a postage profile. */
export async function sendBy(db: Database, profile: Id, ...listings: Id[]): Promise<void> {
  await db.updateTable('products').set({ postage_profile_id: profile }).where('id', 'in', listings).execute()
}

/** Adds an address of a person, without choosing it. */
export function addAddress(
  db: Database,
  { user, name }: Person,
  fields: Partial<Address> = {},
): Promise<{ id: Id }> {
  const written = {
    line1: 'Calle Mayor 1',
    line2: '2º B',
    city: 'Madrid',
    region: 'Madrid',
    postal_code: '28013',
    country: 'ES',
    ...fields,
  }
  return db
    .insertInto('addresses')
    .values({ user_id: user.id, name, ...written })
    .returning('id')
    .executeTakeFirstOrThrow()
}
