import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Brand } from '#brand'
import { paletteOf, type Scheme } from '#palette'
import { limitConcurrency } from '#platform/http/concurrency-limit.ts'
import { allowOnly } from '#platform/http/method-not-allowed.ts'
import { Problem } from '#problem'
import { brandOf } from './brand.ts'
import { drawIcon, isIcon } from './icons.ts'

const FOR_A_DAY = 'public, max-age=86400'
/** Their address changes with the look. */
const FOR_EVER = 'public, max-age=31536000, immutable'
/** Cost in the admission queue of an icon, in small requests, beside the concurrency limit of drawing. */
const COST = 2

const limited = limitConcurrency({
  name: 'icons',
  maxRunning: 1,
  maxWaiting: 16,
  busy: 'Too many icons are being drawn; please try again',
})

/** The web app manifest, and stylesheet and icons of a brand with a look of its own. */
export function brandRoutes(app: FastifyInstance): void {
  allowOnly(app, '/manifest.webmanifest', ['GET', 'HEAD'])
  app.get('/manifest.webmanifest', async (request, reply) =>
    reply
      .header('cache-control', FOR_A_DAY)
      .type('application/manifest+json')
      .send(JSON.stringify(manifestOf(await brandOf(request)))),
  )
  const url = '/brand/:look/:file'
  allowOnly(app, url, ['GET', 'HEAD'])
  app.get<{ Params: { look: string; file: string } }>(
    url,
    { config: { cost: () => COST } },
    async (request, reply) => {
      const { look, file } = request.params
      const brand = await brandOf(request)
      if (brand.look === null || (file !== 'colours.css' && !isIcon(file)))
        throw new Problem(404, 'There is nothing at this address')
      // A page that was loaded before shows what is now.
      const caching = look === brand.look ? FOR_EVER : 'no-cache'
      if (file === 'colours.css')
        return reply
          .header('cache-control', caching)
          .type('text/css; charset=utf-8')
          .send(stylesheetOf(brand))
      const name = createHash('sha256').update(`${brand.look}/${file}`).digest('hex')
      const icon = await app.derivedFiles.get(name, () => limited(() => drawIcon(brand, file, app.files)))
      return reply.header('cache-control', caching).type('image/png').send(icon)
    },
  )
}

/** The stylesheet with the colours of a brand: the custom properties of src/ui/theme.css. */
function stylesheetOf({ colours }: Brand): string {
  const properties = (scheme: Scheme) => {
    const { inkSoft, lineStrong, accentStrong, onAccent, ...others } = paletteOf(scheme, colours[scheme])
    const named = {
      ...others,
      'ink-soft': inkSoft,
      'line-strong': lineStrong,
      'accent-strong': accentStrong,
      'on-accent': onAccent,
    }
    return Object.entries(named)
      .map(([name, value]) => `--${name}:${value}`)
      .join(';')
  }
  return `:root{${properties('light')}}\n@media (prefers-color-scheme:dark){:root{${properties('dark')}}}\n`
}

/** The web app manifest, for installing the shop as an app. */
function manifestOf({ name, shortName, description, colours, look }: Brand): object {
  const at = look ? `/brand/${look}` : '/assets'
  const icon = (file: string, sizes: string, purpose = 'any') => ({
    src: `${at}/${file}`,
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
      ...(look ? [] : [icon('favicon.svg', 'any')]),
      icon('icon-192.png', '192x192'),
      icon('icon-512.png', '512x512'),
      icon('icon-maskable.png', '512x512', 'maskable'),
    ],
  }
}
