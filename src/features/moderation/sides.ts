import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'

/**
 * The seller of the listing and the author of the review that a decision, objection or report is about.
 * @returns [seller, author]. Null without a listing or review, or if it is deleted
 */
export async function sidesOf(
  db: Database,
  { product, review }: { product?: Id | null; review?: Id | null },
): Promise<(Id | null)[]> {
  const { seller, author } = await db
    .selectNoFrom(eb => [
      eb
        .selectFrom('products')
        .select('seller_id')
        .where('id', '=', product ?? null)
        .as('seller'),
      eb
        .selectFrom('reviews')
        .select('user_id')
        .where('id', '=', review ?? null)
        .as('author'),
    ])
    .executeTakeFirstOrThrow()
  return [seller, author]
}
