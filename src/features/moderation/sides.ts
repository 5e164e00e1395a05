import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'

/**
 * Both sides of what a decision, an objection or a report is about: the maker of the listing, and who wrote the review.
 * @returns null for each that there is not, or is gone
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
