import { sql } from 'kysely'
import { findByUsername } from '#accounts/find-user.ts'
import { lockUser } from '#accounts/lock-user.ts'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { violatedConstraint } from '#platform/database/database-errors.ts'
import { Problem } from '#problem'
import { leaveSection } from '#products/details.ts'
import { MAX_SECTIONS, type Section } from './contract.ts'

const listings = sql<number>`(select count(*)::int from products where section_id = c.id and deleted_at is null)`

const sections = (db: Database) =>
  db.selectFrom('sections as c').select(['c.id', 'c.name', listings.as('listings')])

/** Sections of a seller, in their order. */
export const list = (db: Database, seller: Id): Promise<Section[]> =>
  sections(db).where('c.seller_id', '=', seller).orderBy('c.position').orderBy('c.id').execute()

/** Sections of a seller that have listings. @throws Problem 404 unknown username */
export async function ofShop(db: Database, username: string): Promise<Section[]> {
  const seller = await findByUsername(db, username)
  if (seller === undefined) throw new Problem(404, 'There is no such maker')
  return (await list(db, seller)).filter(({ listings }) => listings > 0)
}

async function find(db: Database, id: Id): Promise<Section> {
  return sections(db).where('c.id', '=', id).executeTakeFirstOrThrow()
}

/** Adds a section at the end. One of that name is returned as it is. @throws Problem 409 if there are too many */
export const add = (db: Database, seller: Id, name: string): Promise<Section> =>
  transaction(db, db => addWithin(db, seller, name))

/** As `add`, in the caller’s transaction. */
export async function addWithin(db: Database, seller: Id, name: string): Promise<Section> {
  await lockUser(db, seller)
  const own = await db
    .selectFrom('sections')
    .select(['id', 'name', 'position'])
    .where('seller_id', '=', seller)
    .execute()
  const before = own.find(section => section.name === name)
  if (before) return find(db, before.id)
  if (own.length >= MAX_SECTIONS)
    throw new Problem(409, `You have ${MAX_SECTIONS} sections, which is the most. Remove one first`)
  const position = Math.max(0, ...own.map(section => section.position)) + 1
  const { id } = await db
    .insertInto('sections')
    .values({ seller_id: seller, name, position })
    .returning('id')
    .executeTakeFirstOrThrow()
  return find(db, id)
}

/** Gives a section another name. @throws Problem 404 unknown, or another’s; 409 for the name of another one */
export async function rename(db: Database, seller: Id, id: Id, name: string): Promise<Section> {
  try {
    return await transaction(db, async db => {
      await lockUser(db, seller)
      await requireOwn(db, seller, id)
      await db.updateTable('sections').set({ name }).where('id', '=', id).execute()
      return find(db, id)
    })
  } catch (error) {
    if (violatedConstraint(error) !== 'sections_once') throw error
    throw new Problem(409, `You have a section called ${name} already`, { cause: error })
  }
}

/** Moves a section to a place among the seller's, from 1. @throws Problem 404 unknown, or another’s */
export function move(db: Database, seller: Id, id: Id, place: number): Promise<Section[]> {
  return transaction(db, async db => {
    await lockUser(db, seller)
    await requireOwn(db, seller, id)
    const others = (await list(db, seller)).map(section => section.id).filter(other => other !== id)
    const ordered = others.toSpliced(place - 1, 0, id)
    await sql`
      update sections set position = place.position
      from unnest(${ordered}::bigint[]) with ordinality as place (id, position)
      where sections.id = place.id and sections.position <> place.position
    `.execute(db)
    return list(db, seller)
  })
}

/** Removes a section; its listings then have none. @throws Problem 404 unknown, or another’s */
export function remove(db: Database, seller: Id, id: Id): Promise<void> {
  return transaction(db, async db => {
    await lockUser(db, seller)
    await requireOwn(db, seller, id)
    // Before its listings, in the lock order of their changes.
    await db.selectFrom('sections').select('id').where('id', '=', id).forUpdate().execute()
    await leaveSection(db, id)
    await db.deleteFrom('sections').where('id', '=', id).execute()
  })
}

/** Requires that a section is the seller's own. @throws Problem 404 */
export async function requireOwn(db: Database, seller: Id, id: Id): Promise<void> {
  const section = await db
    .selectFrom('sections')
    .select('id')
    .where('id', '=', id)
    .where('seller_id', '=', seller)
    .executeTakeFirst()
  if (!section) throw new Problem(404, 'There is no such section of yours')
}

/** Before a user is deleted: deletes their sections. Call it after the listings were moved to the placeholder account. */
export async function erase(db: Database, seller: Id): Promise<void> {
  await db.deleteFrom('sections').where('seller_id', '=', seller).execute()
}
