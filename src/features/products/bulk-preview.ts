import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Id } from '#contract'
import { imageColumns, imageDto, photoOrder } from '#images/dto.ts'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { type Outcome, outcomeOf } from './bulk-change.ts'
import { type BulkPreview, MAX_BULK, type Previewed } from './bulk-contract.ts'
import { anyOf, listingsFor, notThere, sectionName, valuesOf } from './bulk-listings.ts'
import { restoreRefusals } from './retire.ts'
import { idsMatching } from './shelf.ts'

/**
 * What a change would make of each listing. Writes nothing.
 * @throws Problem 400 for a section that is not the seller's, or if more match than are changed at once
 */
export async function preview(db: Database, seller: Id, asked: BulkPreview): Promise<Previewed> {
  const section = await sectionName(db, seller, asked)
  const ids = asked.ids ? [...new Set(asked.ids)] : await allMatching(db, seller, asked)
  const rows = await listingsFor(db, seller, asked)
    .select(eb =>
      jsonArrayFrom(
        eb
          .selectFrom('images as i')
          .select(['i.id', ...imageColumns])
          .whereRef('i.product_id', '=', 'p.id')
          .orderBy(photoOrder)
          .limit(1),
      ).as('images'),
    )
    .where('p.id', '=', anyOf(ids))
    .execute()
  const refusalOf = asked.change === 'restore' ? await restoreRefusals(db, seller) : () => undefined
  const byId = new Map(rows.map(row => [row.id, row]))
  return {
    rows: ids.map(id => {
      const row = byId.get(id)
      if (!row)
        return {
          ...{ id, name: null, image: null, version: null, before: null, after: null },
          problem: notThere(asked),
        }
      const before = valuesOf(row)
      const refusal = refusalOf(row)
      const { after, problem }: Outcome = refusal ? { problem: refusal } : outcomeOf(asked, before, section)
      // An equal sum of several combinations says nothing of each.
      const isSum = asked.change === 'stock_set' && before.combinations > 0
      const isSame = after !== undefined && !isSum && JSON.stringify(after) === JSON.stringify(before)
      return {
        id,
        name: row.name,
        image: row.images[0] ? imageDto(row.images[0]) : null,
        version: row.version,
        before,
        after: isSame ? null : (after ?? null),
        problem: isSame ? 'It is like that already' : (problem ?? null),
      }
    }),
  }
}

async function allMatching(db: Database, seller: Id, { matching, change }: BulkPreview): Promise<Id[]> {
  const filter = { ...matching, retired: change === 'restore' }
  const ids = await idsMatching(db, seller, filter, MAX_BULK + 1)
  if (ids.length > MAX_BULK)
    throw new Problem(
      400,
      `More than ${MAX_BULK} pieces match, which is the most at once. Search by name for fewer`,
    )
  return ids
}
