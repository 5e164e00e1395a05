import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import type { Details, Dimensions, ListingDetails } from './details-contract.ts'
import type { NewQuestions, Question } from './questions-contract.ts'
import { missing } from './seller-of.ts'
import { type Variant, variantsOf, variationsIn } from './variants.ts'
import { variationQuestions } from './variation-text.ts'

/** Details, as columns of `products as p`. */
export const detailColumns = [
  'p.title',
  'p.story',
  'p.tags',
  'p.materials',
  'p.weight_grams',
  'p.length_mm',
  'p.width_mm',
  'p.height_mm',
  'p.safety',
  'p.manufacturer',
  'p.section_id',
  'p.questions',
  'p.variations',
] as const

const NO_SIDES: Dimensions = { length_mm: null, width_mm: null, height_mm: null }

/** The columns of these details in a request. Left-out fields stay unchanged. */
export const details = ({
  title,
  story,
  tags,
  materials,
  weight_grams,
  dimensions,
  safety,
  manufacturer,
  section_id,
  questions,
  variations,
}: Details) => ({
  ...(title === undefined ? {} : { title }),
  ...(story === undefined ? {} : { story }),
  ...(tags === undefined ? {} : { tags }),
  ...(materials === undefined ? {} : { materials }),
  ...(weight_grams === undefined ? {} : { weight_grams }),
  ...(dimensions === undefined ? {} : (dimensions ?? NO_SIDES)),
  ...(safety === undefined ? {} : { safety }),
  ...(manufacturer === undefined ? {} : { manufacturer }),
  ...(section_id === undefined ? {} : { section_id }),
  ...(questions === undefined ? {} : { questions }),
  ...(variations === undefined ? {} : { variations: variationQuestions(variations.variations) }),
})

/** Columns as a statement takes them: a list for a column of JSON is a text. */
export const written = <Columns extends { questions?: NewQuestions; variations?: Question[] }>({
  questions,
  variations,
  ...columns
}: Columns) => ({
  ...columns,
  ...(questions === undefined ? {} : { questions: JSON.stringify(questions) }),
  ...(variations === undefined ? {} : { variations: JSON.stringify(variations) }),
})

/** The details as empty as those of a new listing. */
export const NO_DETAILS = {
  title: '',
  story: '',
  tags: [],
  materials: [],
  weight_grams: null,
  ...NO_SIDES,
  safety: '',
  manufacturer: '',
  section_id: null,
  questions: [],
  variations: [],
} satisfies Record<keyof ReturnType<typeof details>, unknown>

/**
 * Requires that the section of a listing is the seller's own, and keeps it until the transaction ends. Sections are locked before
 * listings, as their deletion does. @throws Problem 400
 */
export async function lockSection(db: Database, seller: Id, { section_id: id }: Details): Promise<void> {
  if (id === undefined || id === null) return
  const section = await db
    .selectFrom('sections')
    .select('id')
    .where('id', '=', id)
    .where('seller_id', '=', seller)
    .forKeyShare()
    .executeTakeFirst()
  if (!section) throw new Problem(400, NOT_OWN)
}
export const NOT_OWN = 'There is no such section of yours; choose another one'

/** Listings of one statement: thousands would take longer than a statement may. */
const AT_ONCE = 1_000

/** Takes every listing out of a section, before it is deleted. */
export async function leaveSection(db: Database, section: Id): Promise<void> {
  for (let changed = AT_ONCE; changed === AT_ONCE; ) {
    const result = await db
      .updateTable('products')
      .set({ section_id: null })
      .where('id', 'in', eb =>
        eb.selectFrom('products').select('id').where('section_id', '=', section).orderBy('id').limit(AT_ONCE),
      )
      .executeTakeFirstOrThrow()
    changed = Number(result.numUpdatedRows)
  }
}

/** Details of a listing. @throws Problem 404 unknown or deleted */
export async function detailsOfListing(db: Database, id: Id): Promise<ListingDetails> {
  const row = await db
    .selectFrom('products as p')
    .leftJoin('sections as c', 'c.id', 'p.section_id')
    .select([...detailColumns, 'c.name as section'])
    .where('p.id', '=', id)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw missing()
  return detailsIn(row, await variantsOf(db, [id]))
}

/** The details of a row: without a side that is known, its dimensions are null. @param variants its combinations */
export function detailsIn<R extends Dimensions & { questions: unknown; variations: unknown }>(
  row: R,
  variants: Variant[],
) {
  const { length_mm, width_mm, height_mm, questions, variations, ...rest } = row
  const isMeasured = (length_mm ?? width_mm ?? height_mm) !== null
  return {
    ...rest,
    dimensions: isMeasured ? { length_mm, width_mm, height_mm } : null,
    questions: questions as Question[],
    variations: variationsIn(variations as Question[], variants),
  }
}

/** Tags of listings, by id. */
export async function tagsOf(db: Database, ids: Id[]): Promise<Map<Id, string[]>> {
  const rows = await db
    .selectFrom('products')
    .select(['id', 'tags'])
    .where('id', '=', sql<Id>`any(${ids}::bigint[])`)
    .execute()
  return new Map(rows.map(({ id, tags }) => [id, tags]))
}
