/** The server of `npm run dev`: Vite serves the browser's files and renders pages from source. */
import { join } from 'node:path'
import { createServer } from 'vite'
import { start } from '../../src/main.ts'
import type { Renderer } from '../../src/platform/ssr/renderer.ts'
import { runUntilSignal } from '../cli/run-until-signal.ts'

const root = join(import.meta.dirname, '../..')

await runUntilSignal(log =>
  start(async server => {
    // Hot reload uses the shop's own port.
    const hot = { middlewareMode: true, hmr: { server }, ws: { server } } as const
    const vite = await createServer({ root, appType: 'custom', configLoader: 'native', server: hot })
    server.once('close', () => vite.close())
    return {
      renderer: async () => (await vite.ssrLoadModule('/src/storefront/entry.server.tsx')) as Renderer,
      assets: {
        starter: '/src/storefront/deferred-hydration.ts',
        scripts: ['/src/storefront/entry.dev.ts'],
        styles: [],
        moreStyles: [],
        fonts: [],
      },
      development: vite.middlewares,
    }
  }, log),
)
