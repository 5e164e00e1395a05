import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Id } from '#contract'
import { imageColumns, imageDto } from '#images/dto.ts'
import { record } from '#operators/log.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { readBrand } from './brand.ts'
import { BRAND_CHANGED, type BrandInput, type BrandPicture, type EditedBrand } from './brand-contract.ts'

/** The brand as it is edited. Until it is saved the team is empty, because that of brand.ts is invented. */
export async function edited(db: Database): Promise<EditedBrand> {
  const brand = await readBrand(db)
  const row = await db
    .selectFrom('brand as b')
    .select(['b.name', 'b.hero_caption', 'b.hero_link', 'b.version'])
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
    version: row.version,
    saved: row.name !== null,
    logo: row.logo && imageDto(row.logo),
    hero: row.hero && imageDto(row.hero),
  }
}

/**
 * Changes name and look, with an entry in the log.
 * @param expected the version that the operator saw. Undefined overwrites any
 * @throws Problem 409 if another version is expected
 */
export async function change(
  db: Database,
  operator: Id,
  { team, reason, ...words }: BrandInput,
  expected?: number,
): Promise<void> {
  await transaction(db, async db => {
    const { version } = await db
      .selectFrom('brand')
      .select('version')
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    if (expected !== undefined && version !== expected) {
      // The same brand: a retry after a lost response.
      const stored = await edited(db)
      if (isDeepStrictEqual({ ...stored, ...words, team }, stored)) return
      throw new Problem(409, BRAND_CHANGED)
    }
    await db
      .updateTable('brand')
      .set({ ...words, team: sql`${JSON.stringify(team)}::jsonb`, version: version + 1 })
      .execute()
    await record(db, operator, { action: 'brand-changed', reason })
  })
}

const PICTURE_NAMES: Record<BrandPicture, string> = { logo: 'Logo', hero: 'Picture of the front page' }

/** The slot of a picture of the brand: see images/picture-slot.ts. Each change has an entry in the log. */
export const slotOf = (operator: Id, picture: BrandPicture, reason: string) => ({
  lock: (db: Database) => lock(db, picture),
  async set(db: Database, id: Id | null) {
    await db
      .updateTable('brand')
      .set({ [picture]: id })
      .execute()
    await record(db, operator, {
      action: 'brand-changed',
      reason: `${PICTURE_NAMES[picture]}: ${reason}`,
    })
  },
})

/** Locks the row until the transaction ends, which serializes changes of a picture. @returns the picture's id */
async function lock(db: Database, which: BrandPicture): Promise<Id | null> {
  const row = await db.selectFrom('brand').select([which]).forUpdate().executeTakeFirstOrThrow()
  return row[which]
}
