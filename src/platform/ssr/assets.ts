import { basename, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { brand, paper } from '#brand'
import type { Pages } from './renderer.ts'

const FOR_EVER = 'public, max-age=31536000, immutable'
const FOR_A_DAY = 'public, max-age=86400'
/** Content-Security-Policy of SVG files: they may contain styles, and nothing else. */
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

/** Serves the web app manifest, the built browser files and the icons. In development Vite serves all but the manifest. */
export async function serveAssets(
  app: FastifyInstance,
  { files, immutable = new Set() }: Pick<Pages, 'files' | 'immutable'>,
): Promise<void> {
  app.get('/manifest.webmanifest', (_request, reply) =>
    reply.header('cache-control', FOR_A_DAY).type('application/manifest+json').send(manifest),
  )
  if (!files) return
  await app.register(fastifyStatic, {
    root: join(files, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders(reply, path) {
      const address = `/assets/${basename(path).replace(/\.(br|gz)$/, '')}`
      reply.header('cache-control', immutable.has(address) ? FOR_EVER : FOR_A_DAY)
      if (address.endsWith('.svg')) reply.header('content-security-policy', SVG_POLICY)
    },
  })
  // Browsers and feed readers request this path, whatever a page links to.
  app.get('/favicon.ico', (_request, reply) => reply.sendFile('favicon.ico'))
}

const icon = (file: string, sizes: string, purpose = 'any') => ({
  src: `/assets/${file}`,
  type: file.endsWith('.svg') ? 'image/svg+xml' : 'image/png',
  sizes,
  purpose,
})

/** The web app manifest, for installing the shop as an app. */
const manifest = JSON.stringify({
  id: '/',
  name: brand.name,
  short_name: brand.shortName,
  description: brand.description,
  lang: 'en',
  start_url: '/',
  scope: '/',
  display: 'minimal-ui',
  background_color: paper.light,
  theme_color: paper.light,
  icons: [
    icon('favicon.svg', 'any'),
    icon('icon-192.png', '192x192'),
    icon('icon-512.png', '512x512'),
    icon('icon-maskable.png', '512x512', 'maskable'),
  ],
})
