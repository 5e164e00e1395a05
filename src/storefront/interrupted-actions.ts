import type { ActionFunction } from 'react-router'

/** The browser's router, set by its entry. */
export const browserRouter: { revalidate?: () => void } = {}

/**
 * An action that revalidates the page at its end if a navigation has interrupted it: the router drops its result then,
 * although its request goes on, and the page that was opened has loaded data from before it. In the browser only.
 */
export const revalidatingIfInterrupted =
  (action: ActionFunction): ActionFunction =>
  async (...args) => {
    try {
      return await action(...args)
    } finally {
      if (args[0].request.signal.aborted) browserRouter.revalidate?.()
    }
  }
