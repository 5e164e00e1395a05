import type { ActionFunction, MiddlewareFunction } from 'react-router'

/** Then a page no longer waits: an upload may take minutes. Milliseconds. */
const MAX_WAIT_MS = 3_000

/** The action that began last. In the browser only. */
let last: unknown

/** An action that pages wait for. */
export const awaited =
  (action: ActionFunction): ActionFunction =>
  (...args) => {
    const result = action(...args)
    last = result
    return result
  }

/**
 * Middleware of the browser's router: a page that is opened while a form is being sent loads after it, so that it
 * shows the change. The router itself forgets an action as soon as somebody follows a link.
 */
export const waitForActions: MiddlewareFunction = async ({ request }) => {
  if (request.method !== 'GET') return
  const timeout = new Promise(done => setTimeout(done, MAX_WAIT_MS))
  await Promise.race([last, timeout]).catch(() => {})
}
