import type { RouteObject } from 'react-router'

type Lazy = Pick<RouteObject, 'loader' | 'action' | 'handle' | 'shouldRevalidate' | 'Component'>

/** Routes of pages that are in one file, loaded with the first of them: the first load of the shop has the name of every file. */
export const lazyPages = <P extends string>(
  paths: readonly P[],
  load: () => Promise<{ pages: Record<P, Lazy> }>,
): RouteObject[] => paths.map(path => ({ path, lazy: async () => (await load()).pages[path] }))
