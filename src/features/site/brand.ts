import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { ExpressionBuilder } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { type Brand, defaultBrand } from '#brand'
import { imageColumns, imageDto } from '#images/dto.ts'
import { cachedForAll } from '#platform/cache/request-cache.ts'
import type { Database, Schema } from '#platform/database/database.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** `latest`: the brand as this process last read it, for what must not wait for the database. */
    brand: { latest: Brand }
  }
}

/** Memory of the brand in the cache, bytes. */
const BYTES = 4_000

/** The brand as operators have set it; what they have not set is that of brand.ts. */
export async function readBrand(db: Database): Promise<Brand> {
  const row = await db
    .selectFrom('brand as b')
    .select(['b.name', 'b.short_name', 'b.tagline', 'b.description', 'b.team'])
    .select(['b.paper_light', 'b.accent_light', 'b.paper_dark', 'b.accent_dark'])
    .select(['b.hero_caption', 'b.hero_link'])
    .select(eb => [pictureOf(eb, 'b.logo').as('logo'), pictureOf(eb, 'b.hero').as('hero')])
    .executeTakeFirstOrThrow()
  const { light, dark } = defaultBrand.colours
  const colours = {
    light: { paper: row.paper_light ?? light.paper, accent: row.accent_light ?? light.accent },
    dark: { paper: row.paper_dark ?? dark.paper, accent: row.accent_dark ?? dark.accent },
  }
  const logo = row.logo?.width && row.logo.height ? { ...row.logo, url: imageDto(row.logo).url } : null
  return {
    name: row.name ?? defaultBrand.name,
    shortName: row.short_name ?? defaultBrand.shortName,
    tagline: row.tagline ?? defaultBrand.tagline,
    description: row.description ?? defaultBrand.description,
    mark: defaultBrand.mark,
    logo: logo && { url: logo.url, width: logo.width ?? 1, height: logo.height ?? 1 },
    hero: row.hero && { picture: imageDto(row.hero), caption: row.hero_caption, link: row.hero_link },
    team: (row.team as unknown as Brand['team']) ?? defaultBrand.team,
    colours,
    version: versionOf(colours, logo?.url),
  }
}

/** The image with this id. */
const pictureOf = (eb: ExpressionBuilder<{ b: Schema['brand'] } & Schema, 'b'>, id: 'b.logo' | 'b.hero') =>
  jsonObjectFrom(
    eb
      .selectFrom('images as i')
      .select(['i.id', ...imageColumns])
      .whereRef('i.id', '=', id),
  )

/** Raise it when the icons or the stylesheet are made in another way, so that their addresses change. */
const DRAWING = 1

/** The version of icons and stylesheet. Null for those of the build. */
function versionOf(colours: Brand['colours'], logo = ''): string | null {
  const text = JSON.stringify([colours, logo])
  if (text === JSON.stringify([defaultBrand.colours, ''])) return null
  return createHash('sha256').update(`${DRAWING} ${text}`).digest('hex').slice(0, 16)
}

/** The brand, from the cache. While the database does not answer, it is the latest that was read. */
export async function brandOf(request: FastifyRequest): Promise<Brand> {
  const { brand } = request.server
  try {
    brand.latest = await cachedForAll(request, 'brand', readBrand, () => ({ bytes: BYTES }))
  } catch (error) {
    request.log.error({ err: error }, 'no brand')
  }
  return brand.latest
}
