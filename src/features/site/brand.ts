import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type Brand, defaultBrand } from '#brand'
import { imageDto } from '#images/dto.ts'
import { cachedForAll } from '#platform/cache/request-cache.ts'
import type { Database } from '#platform/database/database.ts'

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
    .leftJoin('images as i', 'i.id', 'b.logo')
    .select(['b.name', 'b.short_name', 'b.tagline', 'b.description', 'b.team'])
    .select(['b.paper_light', 'b.accent_light', 'b.paper_dark', 'b.accent_dark'])
    .select(['b.logo', 'i.folder', 'i.kind', 'i.width', 'i.height', 'i.widths'])
    .executeTakeFirstOrThrow()
  const { folder, kind, width, height, widths } = row
  const logo =
    row.logo === null || folder === null || kind === null || widths === null || !width || !height
      ? null
      : {
          url: imageDto({ id: row.logo, folder, kind, width, height, widths, colour: null, alt: '' }).url,
          width,
          height,
        }
  const { light, dark } = defaultBrand.colours
  const colours = {
    light: { paper: row.paper_light ?? light.paper, accent: row.accent_light ?? light.accent },
    dark: { paper: row.paper_dark ?? dark.paper, accent: row.accent_dark ?? dark.accent },
  }
  return {
    name: row.name ?? defaultBrand.name,
    shortName: row.short_name ?? defaultBrand.shortName,
    tagline: row.tagline ?? defaultBrand.tagline,
    description: row.description ?? defaultBrand.description,
    mark: defaultBrand.mark,
    logo,
    team: (row.team as unknown as Brand['team']) ?? defaultBrand.team,
    colours,
    look: lookOf(colours, logo),
  }
}

/** Raise it when the icons or the stylesheet are made in another way, so that their addresses change. */
const DRAWING = 1

/** The version of icons and stylesheet; null: those of the build. */
function lookOf(colours: Brand['colours'], logo: Brand['logo']): string | null {
  const text = JSON.stringify([colours, logo])
  if (text === JSON.stringify([defaultBrand.colours, null])) return null
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
