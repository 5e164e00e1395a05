import { type ComponentType, lazy } from 'react'

/**
 * A part that the page can do without. Where its script cannot come, it stays away, or as the server rendered it, and
 * the page goes on. It has to stand inside a <Suspense>.
 */
export const dispensable = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> =>
  lazy(async () => ({ default: await load().catch(() => new Promise<never>(() => {})) }))

/**
 * A part of a page that works before its script is there, so the script may come after the page has been taken over.
 * It has to stand inside a <Suspense>. On the server it is rendered like any other part.
 * @param present the part itself, given on the server alone: `import.meta.env.SSR ? await load() : undefined`
 */
export const later = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  present: ComponentType<P> | undefined,
): ComponentType<P> => present ?? dispensable(load)
