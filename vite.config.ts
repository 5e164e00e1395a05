import refreshing from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { subsetFont } from './scripts/vite-subset-font.ts'

// A chunk of packages that rarely change, so that browsers cache it between releases.
const packages = {
  name: 'packages',
  test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]|vite.preload-helper/,
}

/** Modules of listing pages: one file instead of ten small ones. */
const listings = {
  name: 'listings',
  test: /src[\\/](shared[\\/](money|text)|storefront[\\/]pages[\\/]([Ll]anding[\w.]*)|features[\\/](images[\\/]web[\\/]Photo|products[\\/](categories|web[\\/](Listing(Card|Grid)|prefetch|pageSize))|search[\\/]web[\\/]Category(Mark|Strip)))\.tsx?$/,
}

/** Modules of forms: one small file instead of nine, whose names are in the first load. */
const forms = {
  name: 'forms',
  test: /src[\\/](ui[\\/](flash|fields|CharacterCounter|SubmitButton|form-draft|idempotency-key|use-(focus-on-result|sending|transient))|features[\\/]accounts[\\/]web[\\/](fieldsOf|LoginNeeded))\.tsx?$/,
}

/** Small modules that the page of a listing shares with others: one file instead of ten. No schemas: these need zod. */
const details = {
  name: 'details',
  test: /src[\\/](shared[\\/]format-date|ui[\\/](use-hydrated|LinkButton|Paging)|features[\\/](products[\\/](answer-rules|combination-name|sides|slug|variation-text)|reviews[\\/]sorts|addresses[\\/]countries|sellers[\\/]web[\\/]Banner|cart[\\/]web[\\/](answerForm|sendAdd)))\.tsx?$/,
}

/** What the page of a listing says of its maker and of postage, as the maker’s page does: one file instead of ten. */
const makers = {
  name: 'makers',
  test: /src[\\/]features[\\/](accounts[\\/]web[\\/]person|messages[\\/]web[\\/]AskMaker|onboarding[\\/]web[\\/]WhoSells|sellers[\\/](long-words|web[\\/](Portrait|SellerProfile))|postage[\\/](postage-text|web[\\/](AwayNotice|CountryOptions|PickupList|RateTable)))\.tsx?$/,
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
    rolldownOptions: isSsrBuild
      ? { input: 'src/storefront/entry.server.tsx' }
      : {
          input: ['src/storefront/deferred-hydration.ts', 'src/storefront/entry.client.tsx'],
          output: { codeSplitting: { groups: [styles, packages, listings, forms, details, makers] } },
        },
  },
  // A built renderer bundles everything; in development packages are loaded normally. In the server build the process
  // chooses React's development or production build.
  ...(command === 'build'
    ? { ssr: { noExternal: true }, define: { 'process.env.NODE_ENV': JSON.stringify('production') } }
    : {}),
}))
