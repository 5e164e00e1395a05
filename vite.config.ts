import refreshing from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { subsetFont } from './scripts/vite-subset-font.ts'

// What every page needs and releases seldom change: a file which browsers keep from visit to visit.
const packages = {
  name: 'packages',
  test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]|vite.preload-helper/,
}

/** What shows listings, on whichever page: one file instead of ten small ones. */
const listings = {
  name: 'listings',
  test: /src[\\/](shared[\\/]money|storefront[\\/]pages[\\/]([Ll]anding[\w.]*)|features[\\/](images[\\/]web[\\/]Photo|products[\\/](categories|web[\\/](Listing(Card|Grid)|prefetch|pageSize))|search[\\/]web[\\/]Category(Mark|Strip)))\.tsx?$/,
}

/** Two builds: the browser's files, and the same pages for rendering on the server. */
export default defineConfig(({ isSsrBuild, command }) => ({
  plugins: [refreshing(), subsetFont],
  publicDir: false,
  build: {
    emptyOutDir: true,
    manifest: !isSsrBuild,
    cssCodeSplit: false,
    target: 'es2022',
    assetsInlineLimit: 0,
    rolldownOptions: isSsrBuild
      ? { input: 'src/storefront/entry.server.tsx' }
      : {
          input: ['src/storefront/deferred-hydration.ts', 'src/storefront/entry.client.tsx'],
          output: { codeSplitting: { groups: [packages, listings] } },
        },
  },
  // A built renderer brings everything with it; in development packages are loaded as they are. For the server Vite
  // leaves React's choice of its slow, checking form to the process that loads it.
  ...(command === 'build'
    ? { ssr: { noExternal: true }, define: { 'process.env.NODE_ENV': JSON.stringify('production') } }
    : {}),
}))
