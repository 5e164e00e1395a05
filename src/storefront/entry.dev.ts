// Sets up hot reload before the first component loads. Vite would do it with an inline script, which the
// Content-Security-Policy refuses.
// @ts-expect-error Vite makes this module
import { injectIntoGlobalHook } from '/@react-refresh'

injectIntoGlobalHook(window)
Object.assign(window, { $RefreshReg$: () => {}, $RefreshSig$: () => (type: unknown) => type })

await import('/@vite/client' as string)
await import('./entry.client.tsx')
