import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { lockUser } from '#accounts/lock-user.ts'
import type { Id } from '#contract'
import { MAX_IMAGES } from '#images/contract.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { addPhoto, type ClaimedPhoto, type PhotoDeps } from './add-photo.ts'
import type { ZipPlan } from './contract.ts'
import { canComeBack, hasPlace, IN_ZIP, LOST_ZIP, READ_BY } from './draft-pictures.ts'
import { PhotoRefused } from './fetch-file.ts'
import { matchPhotos } from './match-photos.ts'
import type { PhotoZip } from './photo-zip.ts'

/** Files without a place that are named. */
export const MAX_NAMED = 20
/** After so many photos of a zip, the deadline READ_BY of the remaining ones is renewed. */
const RENEWED = 200
/** Tries of a photo while the decoder or the storage is busy, and the pause between them, ms. */
const MAX_TRIES = 5
const BUSY_MS = 2_000

/** SQL: SKUs and titles of a draft, those that its maker has edited and those of the imported file. */
const namesOfDraft = sql<string[]>`array_remove(
  array[fields->>'title', fields->>'name', imported->'fields'->>'title', imported->'fields'->>'name']
  || array(select jsonb_array_elements_text(
    case jsonb_typeof(imported->'skus') when 'array' then imported->'skus' else '[]' end)), null)`

/** A file of a zip, with the id of its row in `draft_pictures`. */
export interface Planned {
  file: string
  id: Id
}

/**
 * Finds the place of each photo of a zip, and queues those that no draft was waiting for. Nothing is unpacked. The same zip
 * again takes no photo twice.
 */
export async function plan(
  db: Database,
  sellerId: Id,
  zip: Pick<PhotoZip, 'names'>,
): Promise<Omit<ZipPlan, 'drafts'> & { planned: Planned[] }> {
  return transaction(db, async db => {
    // The same form sent twice: the second waits, and finds the photos of the first.
    await lockUser(db, sellerId)
    const drafts = await db
      .selectFrom('drafts')
      .select(['id', namesOfDraft.as('names')])
      .where('seller_id', '=', sellerId)
      .orderBy('id')
      .execute()
    const rows = await db
      .selectFrom('draft_pictures as f')
      .select(['id', 'draft_id', 'url', 'state', 'position', hasPlace.as('has_place')])
      .where('seller_id', '=', sellerId)
      .where(canComeBack)
      .orderBy('position')
      .execute()
    const awaited = rows.filter(
      ({ url, has_place }) => has_place && URL.canParse(url) && !url.startsWith(IN_ZIP),
    )
    const { photos, drafts: found, unknown } = matchPhotos(zip.names, drafts, awaited)
    const planned: Planned[] = [...photos].map(([file, id]) => ({ file, id }))
    const added: { draft_id: Id; file: string }[] = []
    const known = new Map(rows.map(({ draft_id, url, id }) => [`${draft_id} ${url}`, id]))
    for (const [file, draft_id] of found) {
      const id = known.get(`${draft_id} ${IN_ZIP}${file}`)
      if (id !== undefined) planned.push({ file, id })
      else added.push({ draft_id, file })
    }
    const queued = await queueFiles(db, sellerId, rows, added)
    planned.push(...queued)
    const isQueued = new Set(queued.map(({ file }) => file))
    const unused = [...unknown, ...added.map(({ file }) => file).filter(file => !isQueued.has(file))]
    const here = new Set(rows.filter(({ state }) => state === 'fetched').map(({ id }) => id))
    const left = planned.filter(({ id }) => !here.has(id))
    await expectAgain(db, left)
    return {
      planned: left,
      taken: left.length,
      here: planned.length - left.length,
      unknown: unused.length,
      unknown_names: unused.slice(0, MAX_NAMED),
    }
  })
}

/** The files of a zip that drafts or listings of these sources still wait for. The job leaves them alone for an hour. */
export async function awaitedOf(db: Database, sellerId: Id, sources: string[]): Promise<Planned[]> {
  const { rows } = await sql<{ id: Id; url: string }>`
    select f.id, f.url from draft_pictures as f
    left join drafts as d on d.id = f.draft_id left join products as p on p.id = f.product_id
    where f.seller_id = ${sellerId} and f.state <> 'fetched' and f.url like ${`${IN_ZIP}%`}
      and coalesce(d.source_key, p.source_key) = any(${sources}::text[]) and ${hasPlace}
    order by f.position, f.id
  `.execute(db)
  const planned = rows.map(({ id, url }) => ({ id, file: url.slice(IN_ZIP.length) }))
  await expectAgain(db, planned)
  return planned
}

/** Adds files after the photos of their drafts. Those that no draft has room for are left out. */
async function queueFiles(
  db: Database,
  sellerId: Id,
  rows: { draft_id: Id | null; position: number }[],
  added: { draft_id: Id; file: string }[],
): Promise<Planned[]> {
  const last = new Map<Id, number>()
  for (const { draft_id, position } of rows)
    if (draft_id !== null) last.set(draft_id, Math.max(position, last.get(draft_id) ?? 0))
  const queued = added.flatMap(({ draft_id, file }) => {
    const position = (last.get(draft_id) ?? 0) + 1
    // A thirteenth has no room anyway.
    if (position > 2 * MAX_IMAGES) return []
    last.set(draft_id, position)
    return { draft_id, position, url: IN_ZIP + file }
  })
  const { rows: inserted } = await sql<{ id: Id; url: string }>`
    insert into draft_pictures (seller_id, draft_id, position, url)
    select ${sellerId}, draft_id, position, url
    from jsonb_to_recordset(${JSON.stringify(queued)}::jsonb) as photo (draft_id bigint, position integer, url text)
    order by draft_id, position
    returning id, url
  `.execute(db)
  return inserted.map(({ id, url }) => ({ file: url.slice(IN_ZIP.length), id }))
}

/** The job leaves these photos alone while the zip is read. */
async function expectAgain(db: Database, left: Planned[]): Promise<void> {
  if (left.length === 0) return
  await db
    .updateTable('draft_pictures')
    .set({ state: 'pending', reason: null, attempts: 0, next_at: READ_BY, leased_until: null })
    .where('id', '=', sql<Id>`any(${left.map(({ id }) => id)}::bigint[])`)
    .where('state', '!=', 'fetched')
    .execute()
}

/** A photo of a zip that was not taken in, and why. */
export interface RefusedPhoto {
  /** Name in the zip. */
  file: string
  reason: string
}

/**
 * Adds the photos of a zip, one after the other.
 * @param signal aborted when the shop stops: the remaining photos fail
 * @returns those that failed
 */
export async function takeIn(
  shop: PhotoDeps,
  sellerId: Id,
  zip: PhotoZip,
  planned: Planned[],
  signal: AbortSignal,
): Promise<RefusedPhoto[]> {
  const refused: RefusedPhoto[] = []
  const logged = (err: unknown) => shop.log.warn({ err }, 'photos of a zip are not waited for any longer')
  for (const [n, { file, id }] of planned.entries()) {
    if (n % RENEWED === 0) await expectAgain(shop.db, planned.slice(n)).catch(logged)
    try {
      if (signal.aborted) throw new PhotoRefused(LOST_ZIP)
      if (!zip.has(file)) throw new PhotoRefused('The zip does not have this photo')
      const bytes = await zip.read(file)
      if (!bytes) throw new PhotoRefused('The file in the zip is no picture, or larger than 10 MB')
      await arriveInTime(shop, { id, seller_id: sellerId, attempts: 0 }, bytes, signal)
    } catch (error) {
      if (!(error instanceof PhotoRefused))
        shop.log.warn({ err: error, picture: id }, 'a photo of a zip was not taken in')
      const isKnown = error instanceof PhotoRefused || error instanceof Problem
      const reason = isKnown ? error.message : 'The file in the zip could not be read'
      refused.push({ file, reason })
      await fail(shop.db, id, reason).catch(error =>
        shop.log.warn({ err: error }, 'a photo of a zip has no reason'),
      )
    }
  }
  return refused
}

/** As `addPhoto`, again after a while where uploads of others leave no time. */
async function arriveInTime(
  shop: PhotoDeps,
  expected: ClaimedPhoto,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return void (await addPhoto(shop, expected, bytes))
    } catch (error) {
      if (!(error instanceof Problem) || tries === MAX_TRIES) throw error
      await pause(BUSY_MS, undefined, { signal }).catch(() => {})
    }
  }
}

const fail = (db: Database, id: Id, reason: string) =>
  db
    .updateTable('draft_pictures')
    .set({ state: 'failed', reason })
    .where('id', '=', id)
    .where('attempts', '=', 0)
    .where('state', '=', 'pending')
    .execute()
