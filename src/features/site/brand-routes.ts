import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type Brand, iconPath } from '#brand'
import { paletteOf, type Scheme } from '#palette'
import { limitConcurrency } from '#platform/http/concurrency-limit.ts'
import { allowOnly } from '#platform/http/method-not-allowed.ts'
import { Problem } from '#problem'
import { brandOf } from './brand.ts'
import { drawIcon, isIcon } from './icons.ts'

const FOR_A_DAY = 'public, max-age=86400'
/** Their address has their version. */
const FOR_EVER = 'public, max-age=31536000, immutable'
/** Cost in the admission queue of an icon, in small requests, beside the concurrency limit of drawing. */
const COST = 2

const limited = limitConcurrency({
  name: 'icons',
  maxRunning: 1,
  maxWaiting: 16,
  busy: 'Too many icons are being drawn; please try again',
})

/** The web app manifest, and stylesheet and icons of a brand with a logo or colours of its own. */
export function brandRoutes(app: FastifyInstance): void {
  allowOnly(app, '/manifest.webmanifest', ['GET', 'HEAD'])
  app.get('/manifest.webmanifest', async (request, reply) =>
    reply
      .header('cache-control', FOR_A_DAY)
      .type('application/manifest+json')
      .send(JSON.stringify(manifestOf(await brandOf(request)))),
  )
  const url = '/brand/:version/:file'
  allowOnly(app, url, ['GET', 'HEAD'])
  app.get<{ Params: { version: string; file: string } }>(
    url,
    { config: { cost: () => COST } },
    async (request, reply) => {
      const { version, file } = request.params
      const brand = await brandOf(request)
      if (brand.version === null || (file !== 'colours.css' && !isIcon(file)))
        throw new Problem(404, 'There is nothing at this address')
      // A page that was loaded before shows what is now.
      const caching = version === brand.version ? FOR_EVER : 'no-cache'
      if (file === 'colours.css')
        return reply
          .header('cache-control', caching)
          .type('text/css; charset=utf-8')
          .send(stylesheetOf(brand))
      const name = createHash('sha256').update(`${brand.version}/${file}`).digest('hex')
      const icon = await app.derivedFiles.get(name, () => limited(() => drawIcon(brand, file, app.files)))
      return reply.header('cache-control', caching).type('image/png').send(icon)
    },
  )
}

/** The stylesheet with the colours of a brand: the custom properties of src/ui/theme.css. */
function stylesheetOf({ colours }: Brand): string {
  const scheme = (name: Scheme) => {
    const { paper, surface, accent, line, lineStrong, accentStrong, onAccent } = paletteOf(
      name,
      colours[name],
    )
    const properties = `--paper:${paper};--surface:${surface};--line-strong:${lineStrong};--accent:${accent};--accent-strong:${accentStrong};--on-accent:${onAccent}`
    // With more contrast, lines are those of theme.css.
    return `:root{${properties}}@media not (prefers-contrast:more){:root{--line:${line}}}`
  }
  return `${scheme('light')}\n@media (prefers-color-scheme:dark){${scheme('dark')}}\n`
}

/** The web app manifest, for installing the shop as an app. */
function manifestOf(brand: Brand): object {
  const { name, shortName, description, colours, version } = brand
  const icon = (file: string, sizes: string, purpose = 'any') => ({
    src: iconPath(brand, file),
    type: file.endsWith('.svg') ? 'image/svg+xml' : 'image/png',
    sizes,
    purpose,
  })
  return {
    id: '/',
    name,
    short_name: shortName,
    description,
    lang: 'en',
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    background_color: colours.light.paper,
    theme_color: colours.light.paper,
    icons: [
      ...(version ? [] : [icon('favicon.svg', 'any')]),
      icon('icon-192.png', '192x192'),
      icon('icon-512.png', '512x512'),
      icon('icon-maskable.png', '512x512', 'maskable'),
    ],
  }
}
