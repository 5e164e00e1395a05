import { sql } from 'kysely'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'

/** Minimum that a photo counts, bytes: small files cost disk space and rows too. */
export const MIN_COUNTED_BYTES = 32 * 1024

/** Bytes used by a user's files, as the quota counts them. */
export async function usedBy(db: Database, person: Id): Promise<number> {
  const { used } = await db
    .selectFrom('images')
    .select(sql<number>`coalesce(sum(greatest(bytes, ${MIN_COUNTED_BYTES}::bigint)), 0)::bigint`.as('used'))
    .where('owner_id', '=', person)
    .executeTakeFirstOrThrow()
  return used
}

/** Message for a full quota of so many bytes. */
export const fullQuota = (quota: number): string =>
  `Your photos and documents take up the ${Math.round(quota / 2 ** 20)} MB that each person has. Please delete listings that you no longer need, or choose a smaller file`
