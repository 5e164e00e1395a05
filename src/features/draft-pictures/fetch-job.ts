import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { MAX_FILE_BYTES } from '#images/contract.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { Problem } from '#problem'
import { addPhoto, type ClaimedPhoto, type PhotoDeps } from './add-photo.ts'
import { hasPlace, IN_ZIP, LOST_ZIP, PHOTO_HOST, PICTURES } from './draft-pictures.ts'
import { fetchFile, PhotoRefused } from './fetch-file.ts'

/** Photos that all processes together fetch at the same time. */
const AT_ONCE = 2
/** Pause of each worker of a run after a photo, ms: at most eight requests in a second in this process. */
const PAUSE_MS = 250
/** The advisory lock of a process that claims a picture. */
const CLAIM_LOCK = 7_240_121
/** Longer than fetching and encoding a photo may take. When its process died, another one goes on after it. */
const LEASE = sql<Date>`now() + interval '2 minutes'`
/** Delays after the first, second, … try that failed, minutes. After the next one the picture has failed. */
const BACK_OFF_MINUTES = [1, 5, 30]
/** Delay where the shop itself had no time, minutes. */
const LATER_MINUTES = 1

const SOURCE = { host: PHOTO_HOST, maxBytes: MAX_FILE_BYTES, connectMs: 10_000, totalMs: 30_000 }

/** Fetches a file; tests fetch from a server of their own. */
type Fetch = (url: string, signal: AbortSignal) => Promise<Buffer>
const overInternet: Fetch = (url, signal) => fetchFile(url, SOURCE, signal)

interface Claimed extends ClaimedPhoto {
  url: string
}

/** Every minute, and soon after an import: fetches the photos of imported drafts, if the shop's setting permits it. */
export const fetchJob = (shop: PhotoDeps): Job => ({
  name: PICTURES,
  schedule: '* * * * *',
  expireInSeconds: 60 * 60,
  pollingIntervalSeconds: 20,
  async run(signal) {
    if (shop.config.importPhotos) await fetchPictures(shop, signal)
    else await failLostZips(shop.db)
  },
})

/** Marks the photos of zips that were not read to their end as failed, as `fetchOne` does. */
async function failLostZips(db: Database): Promise<void> {
  await db
    .updateTable('draft_pictures')
    .set({ state: 'failed', reason: LOST_ZIP })
    .where('state', '=', 'pending')
    .where('url', 'like', `${IN_ZIP}%`)
    .where('next_at', '<=', sql<Date>`now()`)
    .execute()
}

/** Fetches every picture that is due, two at a time. Ends early if the host wants fewer requests, or the shop has no time. */
export async function fetchPictures(
  shop: PhotoDeps,
  signal: AbortSignal,
  fetch = overInternet,
): Promise<void> {
  const ended = new AbortController()
  const either = AbortSignal.any([signal, ended.signal])
  const work = async () => {
    while (!either.aborted) {
      const picture = await claim(shop.db)
      if (!picture) return
      const goesOn = await fetchOne(shop, picture, signal, fetch)
      if (!goesOn) ended.abort()
      await pause(PAUSE_MS, undefined, { signal: either }).catch(() => {})
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** The next picture that is due: covers first. Undefined if there is none, or two are being fetched already. */
function claim(db: Database): Promise<Claimed | undefined> {
  return transaction(db, async db => {
    await sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`.execute(db)
    const { running } = await db
      .selectFrom('draft_pictures')
      .select(({ fn }) => fn.countAll<number>().as('running'))
      .where('leased_until', '>', sql<Date>`now()`)
      .executeTakeFirstOrThrow()
    if (running >= AT_ONCE) return undefined
    return db
      .updateTable('draft_pictures')
      .set({ attempts: sql`attempts + 1`, leased_until: LEASE })
      .where('id', 'in', eb =>
        eb
          .selectFrom('draft_pictures as f')
          .select('id')
          .where(hasPlace)
          .where('state', '=', 'pending')
          .where('next_at', '<=', sql<Date>`now()`)
          .where(or => or.or([or('leased_until', 'is', null), or('leased_until', '<=', sql<Date>`now()`)]))
          .orderBy('position')
          .orderBy('id')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['id', 'seller_id', 'attempts', 'url'])
      .executeTakeFirst()
  })
}

/** @returns whether the next picture may follow */
async function fetchOne(
  shop: PhotoDeps,
  picture: Claimed,
  signal: AbortSignal,
  fetch: Fetch,
): Promise<boolean> {
  try {
    // Each time its process was killed: the next one may be killed by it as well.
    if (picture.attempts > BACK_OFF_MINUTES.length + 1)
      throw new PhotoRefused('The photo could not be worked with')
    if (picture.url.startsWith(IN_ZIP)) throw new PhotoRefused(LOST_ZIP)
    await addPhoto(shop, picture, await fetch(picture.url, signal))
    return true
  } catch (error) {
    if (signal.aborted) await putBack(shop.db, picture, 0)
    else if (error instanceof PhotoRefused) {
      await markFailed(shop.db, picture, error)
      return !error.isTooMany
    } else if (error instanceof Problem) await putBack(shop.db, picture, LATER_MINUTES)
    else {
      shop.log.warn({ err: error, picture: picture.id }, 'a photo of a draft was not stored')
      await markFailed(shop.db, picture, new PhotoRefused('The photo could not be stored', { again: true }))
    }
    return false
  }
}

/** The row of a claimed picture, unless another process has claimed it since, or it is gone. */
const claimed = (db: Database, { id, attempts }: Claimed) =>
  db
    .updateTable('draft_pictures')
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'pending')
    .set({ leased_until: null })

/** It is tried again later, or has failed after its last try. */
async function markFailed(db: Database, picture: Claimed, error: PhotoRefused): Promise<void> {
  const minutes = error.isTemporary ? BACK_OFF_MINUTES[picture.attempts - 1] : undefined
  await claimed(db, picture)
    .set({ reason: error.message })
    .set(
      minutes === undefined
        ? { state: 'failed' }
        : { next_at: sql`now() + make_interval(mins => ${minutes}::int)` },
    )
    .execute()
}

/** It was not its own fault: the try does not count. @param minutes until the next */
async function putBack(db: Database, picture: Claimed, minutes: number): Promise<void> {
  await claimed(db, picture)
    .set({ attempts: picture.attempts - 1, next_at: sql`now() + make_interval(mins => ${minutes}::int)` })
    .execute()
}
