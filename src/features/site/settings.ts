import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { approveSellers } from '#accounts/approval.ts'
import type { Id } from '#contract'
import { record } from '#operators/log.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { SETTINGS_CHANGED, type SiteSettings, type WhoMaySell } from './contract.ts'

/** What operators have set. */
export async function read(db: Database): Promise<SiteSettings> {
  const row = await db
    .selectFrom('site_settings')
    .select(['who_may_sell', 'seller_details_required', 'product_safety_required'])
    .executeTakeFirstOrThrow()
  return { ...row, who_may_sell: row.who_may_sell as WhoMaySell }
}

/**
 * Changes the settings, with an entry in the log. Where not everybody may sell any more, those who have listings may: a
 * listing that is being added is waited for.
 * @param seen the settings that the operator saw; undefined: any
 * @throws Problem 409 for others
 */
export async function change(
  db: Database,
  operator: Id,
  settings: Omit<SiteSettings, 'product_safety_required'> & { product_safety_required?: boolean | undefined },
  reason: string,
  seen?: SiteSettings,
): Promise<void> {
  await transaction(db, async db => {
    await sql`select from site_settings for update`.execute(db)
    if (seen && !isDeepStrictEqual(seen, await read(db))) throw new Problem(409, SETTINGS_CHANGED)
    await db.updateTable('site_settings').set(settings).execute()
    if (settings.who_may_sell !== 'open') await approveSellers(db)
    await record(db, operator, { action: 'settings-changed', reason })
  })
}

/** Ends the setup, with an entry in the log. Ended already is no error. */
export async function endSetup(db: Database, operator: Id): Promise<void> {
  await transaction(db, async db => {
    const ended = await db
      .updateTable('site_settings')
      .set({ set_up_at: sql<Date>`now()` })
      .where('set_up_at', 'is', null)
      .executeTakeFirst()
    if (ended.numUpdatedRows > 0n) await record(db, operator, { action: 'setup-ended' })
  })
}
