import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'

/** Bytes that every photo counts at the least: small files take room on a disk, and their rows in the database, too. */
export const LEAST_BYTES = 32 * 1024

/** Bytes that the photos and documents of a person take, as the quota counts them. */
export async function usedBy(db: Database, person: Id): Promise<number> {
  const { used } = await db
    .selectFrom('images')
    .select(sql<number>`coalesce(sum(greatest(bytes, ${LEAST_BYTES}::bigint)), 0)::bigint`.as('used'))
    .where('owner_id', '=', person)
    .executeTakeFirstOrThrow()
  return used
}

/** What somebody is told whose quota, bytes, is used up. */
export const fullQuota = (quota: number): string =>
  `Your photos and documents take up the ${Math.round(quota / 2 ** 20)} MB that each person has. Please delete listings that you no longer need, or choose a smaller file`
