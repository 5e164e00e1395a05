import type { ComponentType } from 'react'
import type { ActionFunction, RouteObject } from 'react-router'
import { revalidatingIfInterrupted } from './interrupted-actions.ts'

/** Loader, action and head are in a file beside the view, so that each can be reloaded alone. */
export type RouteFile = Pick<RouteObject, 'loader' | 'handle' | 'shouldRevalidate'> & {
  action?: ActionFunction
}

/** A page of its route file and its view. */
export const pageOf = (
  { loader, action, handle, shouldRevalidate }: RouteFile,
  Component: ComponentType,
) => ({
  loader,
  action: import.meta.env.SSR ? action : action && revalidatingIfInterrupted(action),
  handle,
  shouldRevalidate,
  Component,
})

/** Routes of pages that are in one file, loaded with the first of them: the first load of the shop has the name of every file. */
export const lazyPages = <P extends string>(
  paths: readonly P[],
  load: () => Promise<{ pages: Record<P, ReturnType<typeof pageOf>> }>,
): RouteObject[] => paths.map(path => ({ path, lazy: async () => (await load()).pages[path] }))
