import { sql } from 'kysely'
import { defaultBrand } from '#brand'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'

/**
 * The refusal of a name that is the name of this marketplace, has it as a word, or looks like it (`shop_name_look`):
 * its letters would seem to come from the operators. Undefined for any other name.
 * @param what the kind of name: 'Shop name'
 */
export async function brandRefusal(db: Database, what: string, name: string): Promise<string | undefined> {
  const { brand, isBranded } = await db
    .selectFrom(eb =>
      eb.selectFrom('brand').select(sql<string>`coalesce(name, ${defaultBrand.name})`.as('brand')).as('b'),
    )
    .select([
      'b.brand',
      // A name of digits alone has no look: nothing looks like it.
      sql<boolean>`shop_name_look(b.brand) <> '' and shop_name_look(b.brand) = any(
        select shop_name_look(word) from unnest(array[${name}] || regexp_split_to_array(${name}, '[^[:alnum:]]+')) as word
      )`.as('isBranded'),
    ])
    .executeTakeFirstOrThrow()
  return isBranded ? `${what} cannot be, or look like, ${brand}` : undefined
}

/** The same for a username. @throws Problem 400 of the field `username` */
export async function refuseBrandedUsername(db: Database, username: string): Promise<void> {
  const refusal = await brandRefusal(db, 'Username', username)
  if (refusal) throw new Problem(400, refusal, { fields: { username: refusal } })
}
