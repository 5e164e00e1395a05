import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Brand } from '#brand'
import type { Id } from '#contract'
import type { Image } from '#images/contract.ts'
import { imageColumns, imageDto } from '#images/dto.ts'
import * as images from '#images/images.ts'
import { record } from '#operators/log.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import type { Files } from '#platform/storage/files.ts'
import { readBrand } from './brand.ts'
import type { BrandDraft, BrandPicture, EditedBrand } from './brand-contract.ts'

/** The brand as it is edited. Until it is saved, nobody is in the team: those of brand.ts are invented. */
export async function edited(db: Database): Promise<EditedBrand> {
  const brand = await readBrand(db)
  const row = await db
    .selectFrom('brand as b')
    .select(['b.name', 'b.hero_caption', 'b.hero_link'])
    .select(eb =>
      (['logo', 'hero'] as const).map(picture =>
        jsonObjectFrom(
          eb
            .selectFrom('images as i')
            .select(['i.id', ...imageColumns])
            .whereRef('i.id', '=', `b.${picture}`),
        ).as(picture),
      ),
    )
    .executeTakeFirstOrThrow()
  const { light, dark } = brand.colours
  return {
    name: brand.name,
    short_name: brand.shortName,
    tagline: brand.tagline,
    description: brand.description,
    team: row.name === null ? [] : brand.team.map(member => ({ ...member })),
    paper_light: light.paper,
    accent_light: light.accent,
    paper_dark: dark.paper,
    accent_dark: dark.accent,
    hero_caption: row.hero_caption,
    hero_link: row.hero_link,
    saved: row.name !== null,
    logo: row.logo && imageDto(row.logo),
    hero: row.hero && imageDto(row.hero),
  }
}

/** Changes name and look, with an entry in the log. */
export async function change(db: Database, operator: Id, { team, ...words }: BrandDraft): Promise<void> {
  await transaction(db, async db => {
    const stored = sql<Brand['team']>`${JSON.stringify(team)}::jsonb`
    await db
      .updateTable('brand')
      .set({ ...words, team: stored as never })
      .execute()
    await record(db, operator, { action: 'brand-changed', reason: words.name })
  })
}

/**
 * Sets a picture of the brand, with an entry in the log. It belongs to the shop, and to nobody.
 * @throws Problem 400 for a file that is not accepted, 503 while too many uploads wait
 */
export async function setPicture(
  db: Database,
  files: Files,
  operator: Id,
  which: BrandPicture,
  bytes: Buffer,
): Promise<Image> {
  const stored = await images.storePortrait(files, bytes)
  const [picture, before] = await transaction(db, async db => {
    const before = await lock(db, which)
    const picture = await images.add(db, stored, null)
    await db
      .updateTable('brand')
      .set({ [which]: picture.id })
      .execute()
    await record(db, operator, { action: 'brand-changed', reason: which })
    return [picture, before === null ? undefined : await images.remove(db, before)]
  })
  if (before !== undefined) await images.discard(files, before)
  return picture
}

/** Removes a picture of the brand with its files, with an entry in the log. None is no error. */
export async function removePicture(
  db: Database,
  files: Files,
  operator: Id,
  which: BrandPicture,
): Promise<void> {
  const folder = await transaction(db, async db => {
    const picture = await lock(db, which)
    if (picture === null) return undefined
    await db
      .updateTable('brand')
      .set({ [which]: null })
      .execute()
    await record(db, operator, { action: 'brand-changed', reason: which })
    return images.remove(db, picture)
  })
  if (folder !== undefined) await images.discard(files, folder)
}

/** Locks the row until the transaction ends, which serializes changes of a picture. @returns the picture's id */
async function lock(db: Database, which: BrandPicture): Promise<Id | null> {
  const row = await db.selectFrom('brand').select([which]).forUpdate().executeTakeFirstOrThrow()
  return row[which]
}
