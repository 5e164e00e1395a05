import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { type FieldErrors, Problem } from '#problem'
import type { LackingSafety } from './contract.ts'
import type { Details } from './details-contract.ts'

// What operators may require before a listing is for sale: who made it, and warnings (Regulation (EU) 2023/988, Article 19).
// A maker says both in their seller details for all listings, or in a listing for this one.

/** Field of a listing → message where it is missing. */
const MISSING = {
  safety:
    'Please add warnings and safety information under “Product safety”, or say there that none are needed',
  manufacturer:
    'Please say who made it. If that is you, give your address and email in Settings, Seller details; if not, name them under “Product safety”',
}
type Field = keyof typeof MISSING
/**
 * The same for a retired piece, which has no form: its maker says it for all pieces, and may change it in this one
 * afterwards.
 */
export const MISSING_RETIRED: Record<Field, string> = {
  safety: 'Please add warnings and safety information for all your pieces in Settings, Seller details',
  manufacturer: 'Please say who made it: give your address and email in Settings, Seller details',
}
/** Most lacking listings that are named. */
const MAX_NAMED = 5

/**
 * Whether operators require it. In a transaction that adds a listing, it stays so until it ends: call it before
 * people are locked.
 */
export async function isSafetyRequired(db: Database): Promise<boolean> {
  const { product_safety_required } = await db
    .selectFrom('site_settings')
    .select('product_safety_required')
    .forShare()
    .executeTakeFirstOrThrow()
  return product_safety_required
}

/** What each listing of a seller has to say itself, because the seller does not say it for all of them. */
export async function notSaidForAll(db: Database, seller: Id): Promise<Field[]> {
  const said = await db
    .selectFrom('seller_details')
    .select(['safety', 'address', 'email'])
    .where('user_id', '=', seller)
    .executeTakeFirst()
  const isMaker = said !== undefined && said.address !== '' && said.email !== ''
  return [...(said?.safety ? [] : ['safety' as const]), ...(isMaker ? [] : ['manufacturer' as const])]
}

/**
 * Requires that a listing has what product safety asks. Call it in the transaction that puts it up for sale.
 * @throws Problem 400 with what is missing
 */
export async function requireSafety(
  db: Database,
  seller: Id,
  listing: Pick<Details, Field>,
  messages: Record<Field, string> = MISSING,
): Promise<void> {
  // What the seller says for all stays as it is until the transaction ends.
  await sql`select from seller_details where user_id = ${seller} for share`.execute(db)
  const lacking = (await notSaidForAll(db, seller)).filter(field => !listing[field])
  if (lacking.length === 0) return
  const fields: FieldErrors = Object.fromEntries(lacking.map(field => [field, messages[field]]))
  const errors = Object.values(fields)
  throw new Problem(400, errors[0] ?? '', { errors, fields })
}

/**
 * Listings of a seller that are for sale without what operators require: from before they did, or because their maker has
 * taken it out since.
 */
export async function lackingSafety(db: Database, seller: Id): Promise<LackingSafety> {
  const { product_safety_required: isRequired } = await db
    .selectFrom('site_settings')
    .select('product_safety_required')
    .executeTakeFirstOrThrow()
  const fields = isRequired ? await notSaidForAll(db, seller) : []
  if (fields.length === 0) return { count: 0, first: [] }
  const rows = await db
    .selectFrom('products')
    .select(['id', 'name', sql<number>`(count(*) over ())::int`.as('count')])
    .where('seller_id', '=', seller)
    .where('deleted_at', 'is', null)
    .where(eb => eb.or(fields.map(field => eb(field, '=', ''))))
    .orderBy('id')
    .limit(MAX_NAMED)
    .execute()
  return { count: rows[0]?.count ?? 0, first: rows.map(({ id, name }) => ({ id, name })) }
}
