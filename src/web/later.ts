import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

/**
 * A part of a page that works before its script is there, so the script may come after the page has been taken over.
 * It has to stand inside a <Suspense>. On the server it is rendered like any other part.
 * @param present the part itself, given on the server alone: `import.meta.env.SSR ? await load() : undefined`
 */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  present: ComponentType<P> | undefined,
): LazyExoticComponent<ComponentType<P>> {
  if (!present) return lazy(async () => ({ default: await load() }))
  // React asks a lazy part once, and takes an answer that comes at once.
  const atOnce = {
    then: (done: (module: { default: ComponentType<P> }) => void) => done({ default: present }),
  }
  return lazy(() => atOnce as Promise<{ default: ComponentType<P> }>)
}
