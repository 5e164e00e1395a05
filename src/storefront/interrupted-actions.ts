import type { ActionFunction } from 'react-router'

/** Loads the data of the page again, set by the browser's entry. */
export const page: { reload?: () => void } = {}

/**
 * An action whose result is seen also by whoever has followed a link meanwhile: the router forgets it then, although its
 * request goes on, so the page that was opened loads its data again at the end. In the browser only.
 */
export const seenAfterwards =
  (action: ActionFunction): ActionFunction =>
  async (...args) => {
    try {
      return await action(...args)
    } finally {
      if (args[0].request.signal.aborted) page.reload?.()
    }
  }
