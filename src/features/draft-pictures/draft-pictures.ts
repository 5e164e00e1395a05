import { sql } from 'kysely'
import type { Id } from '#contract'
import { MAX_IMAGES } from '#images/contract.ts'
import type { Database } from '#platform/database/database.ts'
import { requestJobRun } from '#platform/jobs/job-events.ts'
import { isPaused } from '#products/paused.ts'
import { MAX_FAILURES, type PhotoProgress } from './contract.ts'
import { allowedUrl } from './fetch-file.ts'

/** The one host that photos are fetched from. */
export const PHOTO_HOST = 'i.etsystatic.com'

/** Prefix of the `url` of a photo that comes in a zip; the rest is its name there. */
export const IN_ZIP = 'zip:'
/** Deadline for reading a zip. A photo that is still missing then was lost with its process. */
export const READ_BY = sql<Date>`now() + interval '1 hour'`
/** The process that read a zip has ended. */
export const LOST_ZIP = 'The zip was not read to its end; please send it again'

/** Name of the job that downloads queued photos. */
export const PICTURES = 'draft-pictures'

/** Photos that a draft waits for. */
export interface AwaitedPhotos {
  draft: Id
  /** Addresses, the cover first; or `zip:` and the name of a file in a zip. */
  urls: string[]
  /** Alt texts of these, if they are known. */
  alts?: string[]
}

/**
 * Queues photos of drafts, in their order, at most 12 for each draft. Photos that are queued already stay as they
 * are, so a second import downloads nothing twice. An address on another host fails at once. Photos of a zip are left
 * to the process that reads it.
 */
export async function queue(db: Database, sellerId: Id, drafts: AwaitedPhotos[]): Promise<void> {
  const rows = drafts.flatMap(({ draft, urls, alts = [] }) =>
    [...new Set(urls)].slice(0, MAX_IMAGES).map((url, index) => ({
      draft_id: draft,
      position: index + 1,
      url,
      alt: alts[index] ?? '',
      isInZip: url.startsWith(IN_ZIP),
      ...(url.startsWith(IN_ZIP) || allowedUrl(url, PHOTO_HOST)
        ? { state: 'pending' }
        : { state: 'failed', reason: `Photos are fetched from https://${PHOTO_HOST} only` }),
    })),
  )
  if (rows.length === 0) return
  await sql`
    insert into draft_pictures (seller_id, draft_id, position, url, alt, state, reason, next_at)
    select ${sellerId}, draft_id, position, url, alt, state, reason, case when "isInZip" then ${READ_BY} else now() end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as photo
      (draft_id bigint, position integer, url text, alt text, "isInZip" boolean, state text, reason text)
    on conflict on constraint draft_pictures_once do nothing
  `.execute(db)
}

/** Moves the photos of a published draft to its listing. Call it in the transaction that deletes the draft. */
export async function toListing(db: Database, draftId: Id, productId: Id): Promise<void> {
  await db
    .updateTable('draft_pictures')
    .set({ draft_id: null, product_id: productId })
    .where('draft_id', '=', draftId)
    .execute()
}

/** Before a user is deleted: deletes their queued photos. */
export async function erase(db: Database, sellerId: Id): Promise<void> {
  await db.deleteFrom('draft_pictures').where('seller_id', '=', sellerId).execute()
}

/** SQL: the address of a photo that can be fetched. Others have failed from the start, or come in a zip. */
const isFetchable = sql<boolean>`url ilike ${`https://${PHOTO_HOST}/%`}`

/** Queues failed downloads again. Photos of a zip come only with another zip. */
export async function retry(db: Database, sellerId: Id): Promise<void> {
  await db
    .updateTable('draft_pictures')
    .set({ state: 'pending', attempts: 0, next_at: sql`now()` })
    .where('seller_id', '=', sellerId)
    .where('state', '=', 'failed')
    .where(isFetchable)
    .execute()
  requestJobRun(PICTURES)
}

/**
 * SQL: the listing of `draft_pictures as f`, if it has one, is not deleted. Photos of a paused listing wait until it
 * comes back.
 */
export const hasPlace = sql<boolean>`not exists (
  select from products where products.id = f.product_id and products.deleted_at is not null)`

/** SQL: the listing of `draft_pictures as f`, if it has one, is not deleted for good. */
export const canComeBack = sql<boolean>`not exists (
  select from products where products.id = f.product_id and deleted_at is not null and not ${isPaused})`

/** Deletes photos that no listing waits for any more: theirs is deleted, and cannot come back. */
export async function sweep(db: Database): Promise<void> {
  await sql`
    delete from draft_pictures as f where f.state <> 'fetched' and not ${canComeBack}
  `.execute(db)
}

/** How far a seller's photos are. @param fetches whether the shop fetches photos */
export async function progress(db: Database, sellerId: Id, fetches: boolean): Promise<PhotoProgress> {
  const counted = await db
    .selectFrom('draft_pictures as f')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .select(sql<number>`count(*) filter (where ${isFetchable})::int`.as('fetchable'))
    .where('seller_id', '=', sellerId)
    .where(hasPlace)
    .groupBy('state')
    .execute()
  const of = (state: string) => counted.find(row => row.state === state)?.count ?? 0
  const [here, waiting, failed] = [of('fetched'), of('pending'), of('failed')]
  const refetchable = counted.find(({ state }) => state === 'failed')?.fetchable ?? 0
  const failures = failed > 0 ? await failuresOf(db, sellerId) : []
  return { fetches, total: here + waiting + failed, here, waiting, failed, refetchable, failures }
}

const failuresOf = (db: Database, sellerId: Id) =>
  db
    .selectFrom('draft_pictures as f')
    .leftJoin('drafts as d', 'd.id', 'f.draft_id')
    .leftJoin('products as p', 'p.id', 'f.product_id')
    .select([
      'f.id',
      'f.position',
      sql<string>`coalesce(nullif(d.fields->>'title', ''), nullif(d.fields->>'name', ''), p.name, '')`.as(
        'title',
      ),
      sql<string>`coalesce(f.reason, '')`.as('reason'),
    ])
    .where('f.seller_id', '=', sellerId)
    .where('f.state', '=', 'failed')
    .where(hasPlace)
    .orderBy('f.id')
    .limit(MAX_FAILURES)
    .execute()

/**
 * Photos that came for a seller's imported drafts, or are still to come, as they download them: those after this one.
 * @param most how many at most
 */
export const listAfter = (db: Database, sellerId: Id, after: Id, most: number) =>
  db
    .selectFrom('draft_pictures')
    .select(['id', 'draft_id', 'product_id', 'position', 'alt', 'url', 'state', 'reason'])
    .where('seller_id', '=', sellerId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(most)
    .execute()
