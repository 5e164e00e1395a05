import { basename, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { iconPath } from '#brand'
import type { ServedPages } from './renderer.ts'

const FOR_EVER = 'public, max-age=31536000, immutable'
const FOR_A_DAY = 'public, max-age=86400'
/** Content-Security-Policy of SVG files: they may contain styles, and nothing else. */
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

/** Serves the built browser files and the icons. In development Vite serves them. */
export async function serveAssets(
  app: FastifyInstance,
  { files, immutable = new Set(), latestBrand }: Pick<ServedPages, 'files' | 'immutable' | 'latestBrand'>,
): Promise<void> {
  if (!files) return
  await app.register(fastifyStatic, {
    root: join(files, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders(reply, path) {
      const url = `/assets/${basename(path).replace(/\.(br|gz)$/, '')}`
      reply.header('cache-control', immutable.has(url) ? FOR_EVER : FOR_A_DAY)
      if (url.endsWith('.svg')) reply.header('content-security-policy', SVG_POLICY)
    },
  })
  // Browsers and feed readers request this path, whatever a page links to.
  app.get('/favicon.ico', (_request, reply) => {
    const { version } = latestBrand()
    return version ? reply.redirect(iconPath({ version }, 'icon-32.png'), 302) : reply.sendFile('favicon.ico')
  })
}
