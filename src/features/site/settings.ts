import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { approveSellers } from '#accounts/approval.ts'
import type { Id } from '#contract'
import { record } from '#operators/log.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { type EditedSettings, SETTINGS_CHANGED, type SettingsChange, type WhoMaySell } from './contract.ts'

/** What operators have set. */
export async function read(db: Database): Promise<EditedSettings> {
  const row = await db
    .selectFrom('site_settings')
    .select(['who_may_sell', 'seller_details_required', 'product_safety_required', 'version'])
    .executeTakeFirstOrThrow()
  return { ...row, who_may_sell: row.who_may_sell as WhoMaySell }
}

/**
 * Changes the settings, with an entry in the log. If selling needs approval from now on, users with listings are
 * approved; transactions that add a listing are waited for.
 * @param expected the version that the operator saw. Undefined overwrites any
 * @throws Problem 409 if another version is expected
 */
export async function change(
  db: Database,
  operator: Id,
  { reason, ...settings }: SettingsChange,
  expected?: number,
): Promise<void> {
  await transaction(db, async db => {
    const { version, ...stored } = await db
      .selectFrom('site_settings')
      .select(['version', 'who_may_sell', 'seller_details_required', 'product_safety_required'])
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (expected !== undefined && version !== expected) {
      // The same settings: a retry after a lost response.
      if (isDeepStrictEqual({ ...stored, ...settings }, stored)) return
      throw new Problem(409, SETTINGS_CHANGED)
    }
    await db
      .updateTable('site_settings')
      .set({ ...settings, version: version + 1 })
      .execute()
    if (settings.who_may_sell !== 'open') await approveSellers(db)
    await record(db, operator, { action: 'settings-changed', reason })
  })
}

/** Ends the setup, with an entry in the log. Ended already is no error. */
export async function endSetup(db: Database, operator: Id, reason: string): Promise<void> {
  await transaction(db, async db => {
    const ended = await db
      .updateTable('site_settings')
      .set({ set_up_at: sql<Date>`now()` })
      .where('set_up_at', 'is', null)
      .executeTakeFirst()
    if (ended.numUpdatedRows > 0n) await record(db, operator, { action: 'setup-ended', reason })
  })
}
