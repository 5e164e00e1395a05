import refreshing from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunks } from './scripts/vite/chunks.ts'
import { subsetFont } from './scripts/vite/subset-font.ts'

// A chunk of packages that rarely change, so that browsers cache it between releases.
const packages = {
  name: 'packages',
  test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]|vite.preload-helper/,
}

interface Modules {
  getModuleInfo(id: string): { importers: readonly string[] } | null
}
/** Whether only the pages of more-routes.ts import a module. */
function usedByMorePagesOnly(id: string, modules: Modules): boolean {
  if (/src[\\/]storefront[\\/](selling|settings|order)-pages\.ts$/.test(id)) return true
  const { importers = [] } = modules.getModuleInfo(id) ?? {}
  return importers.length > 0 && importers.every(importer => usedByMorePagesOnly(importer, modules))
}
/** Two stylesheets: that of every page, and another one for the pages of more-routes.ts, which few people open first. */
const styles = {
  debugName: 'styles',
  name: (id: string, modules: Modules) => (usedByMorePagesOnly(id, modules) ? 'more' : 'style'),
  test: /\.css$/,
}

/** Without the scripts that every page has loaded already when it loads a further one. */
const furtherScripts = (_file: string, needed: string[]) =>
  needed.filter(file => !/\/(rolldown-runtime|packages|listings)-[\w-]+\.js$/.test(file))

/** Two builds: for the browser, and for server rendering. */
export default defineConfig(({ isSsrBuild, command }) => ({
  plugins: [refreshing(), subsetFont],
  publicDir: false,
  build: {
    emptyOutDir: true,
    manifest: !isSsrBuild,
    cssCodeSplit: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { resolveDependencies: furtherScripts },
    rolldownOptions: isSsrBuild
      ? { input: 'src/storefront/entry.server.tsx' }
      : {
          input: ['src/storefront/deferred-hydration.ts', 'src/storefront/entry.client.tsx'],
          output: { codeSplitting: { groups: [styles, packages, ...chunks] } },
        },
  },
  // A built renderer bundles everything; in development packages are loaded normally. In the server build the process
  // chooses React's development or production build.
  ...(command === 'build'
    ? { ssr: { noExternal: true }, define: { 'process.env.NODE_ENV': JSON.stringify('production') } }
    : {}),
}))
