import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Two builds: the browser's files, and the same pages for rendering on the server. */
export default defineConfig(({ isSsrBuild, command }) => ({
  plugins: [react()],
  publicDir: false,
  build: {
    outDir: isSsrBuild ? 'dist/server' : 'dist/client',
    emptyOutDir: true,
    manifest: !isSsrBuild,
    cssCodeSplit: false,
    target: 'es2022',
    assetsInlineLimit: 0,
    rolldownOptions: { input: isSsrBuild ? 'src/web/entry.server.tsx' : 'src/web/entry.client.tsx' },
  },
  // A built renderer brings everything with it; in development packages are loaded as they are.
  ...(command === 'build' ? { ssr: { noExternal: true } } : {}),
}))
