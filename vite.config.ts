import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** What every page needs and releases seldom change: one file, which browsers keep from visit to visit. */
const framework = {
  name: 'framework',
  test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]|vite.preload-helper/,
}

/** What shows listings, on whichever page: one file instead of ten small ones. */
const listings = {
  name: 'listings',
  test: /src[\\/](money|products[\\/](categories|web[\\/](\w*[Ll]anding\w*|Listing(Card|Grid)|Photo|[cC]ategor\w+|prefetch|price|pageSize)))\.tsx?$/,
}

/** Parts of the router that no page of ours reaches: file → function → what stands there instead. */
const unreached: Record<string, Record<string, string>> = {
  'router/instrumentation.js': {
    getRouteInstrumentationUpdates: 'leftOut',
    instrumentClientSideRouter: 'leftOut',
    consumeInstrumentationClientResultMetaReceiver: '() => undefined',
  },
  'dom/ssr/components.js': {
    // What it answers outside of framework mode, where a link fetches nothing ahead by itself.
    usePrefetchBehavior: '() => [false, null, {}]',
    PrefetchPageLinks: 'leftOut',
  },
  'router/router.js': { runClientMiddlewarePipeline: 'leftOut', patchRoutesImpl: 'leftOut' },
  'hooks.js': { RSCErrorHandler: 'leftOut', DefaultErrorComponent: 'leftOut' },
}

const leftOut = `const leftOut = () => { throw new Error('Left out of the build, see docs/decisions/0015') };\n`

/** Leaves out of the browser's build what no page can reach in the router. @throws Error when the router has changed */
const leanRouter: Plugin = {
  name: 'lean-router',
  apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  transform(code, id) {
    const [, file] = /[\\/]react-router[\\/]dist[\\/]production[\\/]lib[\\/](.+)$/.exec(id) ?? []
    if (!file) return
    // Names for developers' tools, and the reason why components that nobody uses would stay.
    let lean = code.replace(/^\w+\.displayName = .*;$/gm, '')
    for (const [name, instead] of Object.entries(unreached[file.replaceAll('\\', '/')] ?? {})) {
      const whole = lean
      lean = lean.replace(`\nfunction ${name}(`, `\nconst ${name} = ${instead};\nfunction ${name}WithAll(`)
      if (lean === whole)
        this.error(`react-router has no ${name} in ${file} any more: see docs/decisions/0015`)
    }
    return { code: leftOut + lean, map: null }
  },
}

/** Two builds: the browser's files, and the same pages for rendering on the server. */
export default defineConfig(({ isSsrBuild, command }) => ({
  plugins: [react(), leanRouter],
  publicDir: false,
  build: {
    emptyOutDir: true,
    manifest: !isSsrBuild,
    cssCodeSplit: false,
    target: 'es2022',
    assetsInlineLimit: 0,
    rolldownOptions: isSsrBuild
      ? { input: 'src/web/entry.server.tsx' }
      : {
          input: ['src/web/begin.ts', 'src/web/entry.client.tsx'],
          output: { codeSplitting: { groups: [framework, listings] } },
        },
  },
  // A built renderer brings everything with it; in development packages are loaded as they are. For the server Vite
  // leaves React's choice of its slow, checking form to the process that loads it.
  ...(command === 'build'
    ? { ssr: { noExternal: true }, define: { 'process.env.NODE_ENV': JSON.stringify('production') } }
    : {}),
}))
