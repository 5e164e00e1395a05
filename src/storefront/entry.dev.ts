// In development the components' hot reload is set up before the first of them is loaded. Vite would write this into
// the page as an inline script, which the Content-Security-Policy refuses.
// @ts-expect-error Vite makes this module
import { injectIntoGlobalHook } from '/@react-refresh'

injectIntoGlobalHook(window)
Object.assign(window, { $RefreshReg$: () => {}, $RefreshSig$: () => (type: unknown) => type })

await import('/@vite/client' as string)
await import('./entry.client.tsx')
