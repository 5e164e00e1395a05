import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { refundUse } from '#platform/http/rate-limit.ts'
import { type Job, STOPPING } from '#platform/jobs/jobs.ts'
import { queueLetters } from '#platform/mail/outbox.ts'
import { readBrand } from '#site/brand.ts'
import { archiveOf } from './archive.ts'
import { EXPORTS } from './exports.ts'
import { putStream } from './stored-stream.ts'

type ExportDeps = Pick<FastifyInstance, 'db' | 'config' | 'files' | 'privateFiles' | 'log'>
interface Claimed {
  id: Id
  user_id: Id
  /** Number of this try, from 1. */
  tries: number
}

/** The advisory lock of a process that claims a request. */
const EXPORT_LOCK = 7_240_120
/** A process that makes an archive renews its lease while it writes. When it died, another one begins anew. */
const LEASE = sql<Date>`now() + interval '2 minutes'`
const RENEW_MS = 20_000
/** Delays after the first, second, … try that failed, minutes. After the next one the request has failed. */
const BACK_OFF_MINUTES = [1, 5, 15, 60]
/** How long an archive can be downloaded, and the message that it has failed is shown. */
const EXPIRY = sql<Date>`now() + interval '24 hours'`

/** Makes the archives that are asked for, one at a time in all processes: every minute, and soon after a request. */
export const exportJob = (shop: ExportDeps): Job => ({
  name: EXPORTS,
  schedule: '* * * * *',
  expireInSeconds: 60 * 60,
  pollingIntervalSeconds: 20,
  async run(signal) {
    while (!signal.aborted) {
      const next = await claim(shop.db)
      if (!next) return
      await make(shop, next, signal)
    }
  },
})

/** The oldest request that is due, unless one is being made. */
function claim(db: Database): Promise<Claimed | undefined> {
  return transaction(db, async db => {
    await sql`select pg_advisory_xact_lock(${EXPORT_LOCK})`.execute(db)
    return db
      .updateTable('data_exports')
      .set({ tries: sql`tries + 1`, leased_until: LEASE })
      .where('id', 'in', eb =>
        eb
          .selectFrom('data_exports')
          .select('id')
          .where('due_at', '<=', sql<Date>`now()`)
          .where(({ not, exists }) =>
            not(
              exists(eb.selectFrom('data_exports').select('id').where('leased_until', '>', sql<Date>`now()`)),
            ),
          )
          .orderBy('due_at')
          .limit(1),
      )
      .returning(['id', 'user_id', 'tries'])
      .executeTakeFirst()
  })
}

/** The row of a claimed request, unless another process has claimed it since, or its account is gone. */
const claimed = (db: Database, { id, tries }: Claimed) =>
  db
    .updateTable('data_exports')
    .where('id', '=', id)
    .where('tries', '=', tries)
    .where('due_at', 'is not', null)

async function make(shop: ExportDeps, request: Claimed, signal: AbortSignal): Promise<void> {
  const { db, files, privateFiles, log } = shop
  try {
    // Each time its process was killed: the next one may be killed by it as well.
    if (request.tries > BACK_OFF_MINUTES.length + 1) throw new Error('Its process died at each try')
    const archive = archiveOf((await readBrand(db)).name, db, files, request.user_id)
    const stored = await putStream(privateFiles, whileLeased(shop, request, archive, signal))
    const isMade = await markMade(db, request, stored)
    if (!isMade) await privateFiles.remove(stored.folder)
  } catch (error) {
    const isThere = await markFailed(shop, request, error as Error, signal.reason === STOPPING)
    if (isThere) log.warn({ err: error, export: request.id }, 'an archive of personal data was not made')
  }
}

/** The pieces of the archive, while the request is still this process's to serve. @throws Error as soon as it is not */
async function* whileLeased(
  { db }: ExportDeps,
  request: Claimed,
  archive: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let renewed = performance.now()
  for await (const piece of archive) {
    signal.throwIfAborted()
    if (performance.now() > renewed + RENEW_MS) {
      const row = await claimed(db, request).set({ leased_until: LEASE }).returning('id').executeTakeFirst()
      if (!row) throw new Error('It is not asked for any more')
      renewed = performance.now()
    }
    yield piece
  }
}

/**
 * Marks an archive as made, and queues its letter. @returns false if another process has claimed it, or the account
 * is gone
 */
function markMade(
  db: Database,
  request: Claimed,
  { folder, bytes }: { folder: string; bytes: number },
): Promise<boolean> {
  return transaction(db, async db => {
    const row = await claimed(db, request)
      .set({ due_at: null, leased_until: null, last_error: null, made_at: sql`now()`, expires_at: EXPIRY })
      .set({ folder, bytes })
      .returning('id')
      .executeTakeFirst()
    if (row) await queueLetters(db, [{ kind: 'data_ready', subject: request.id, recipient: request.user_id }])
    return row !== undefined
  })
}

/**
 * Schedules a retry, or marks the request as failed after the last try: then the user can request again at once.
 * @param isStopping the process stops: the retry is due at once, and this try does not count
 * @returns false if another process has claimed it, or the account is gone
 */
function markFailed(
  { db, config }: ExportDeps,
  request: Claimed,
  { message }: Error,
  isStopping: boolean,
): Promise<boolean> {
  const minutes = isStopping ? 0 : BACK_OFF_MINUTES[request.tries - 1]
  return transaction(db, async db => {
    const row = await claimed(db, request)
      .set({ leased_until: null, last_error: message })
      .$if(isStopping, row => row.set({ tries: sql`tries - 1` }))
      .set(
        minutes === undefined
          ? { due_at: null, failed_at: sql`now()`, expires_at: EXPIRY }
          : { due_at: sql`now() + make_interval(mins => ${minutes}::int)` },
      )
      .returning('id')
      .executeTakeFirst()
    if (row && minutes === undefined) await refundUse({ db, config }, 'daily_exports', request.user_id)
    return row !== undefined
  })
}
