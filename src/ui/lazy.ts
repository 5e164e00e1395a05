import { type ComponentType, lazy } from 'react'

/**
 * An optional component. If its script fails to load, it stays empty, or as the server rendered it. Needs a
 * <Suspense>.
 */
export const optionalLazy = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> =>
  lazy(async () => ({ default: await load().catch(() => new Promise<never>(() => {})) }))

/**
 * A component that works before its script loads, so that it can hydrate later. Rendered normally on the server.
 * Needs a <Suspense>.
 * @param present the component, on the server alone: `import.meta.env.SSR ? await load() : undefined`
 */
export const ssrLazy = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  present: ComponentType<P> | undefined,
): ComponentType<P> => present ?? optionalLazy(load)
