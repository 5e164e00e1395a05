import { isRouteErrorResponse, Link, useLocation, useRouteError } from 'react-router'
import { Problem } from '#problem'
import { Drawing } from './drawings.tsx'

/** Status of an error, 500 for everything that carries none; 0 where the network was lost. */
function statusOf(error: unknown): number {
  if (isRouteErrorResponse(error)) return error.status
  if (isScriptLost(error)) return 0
  return error instanceof Problem ? error.status : 500
}

/** Whether the script of a page could not be fetched. Each browser has its own words for it. */
const isScriptLost = (error: unknown) => error instanceof TypeError && /import|module/i.test(error.message)

/** Id of the request that failed, where it was told: the server puts it where HTTP has the words of a status. */
const requestIdOf = (error: unknown) =>
  isRouteErrorResponse(error) ? error.statusText : error instanceof Problem ? error.requestId : undefined

const pages: Record<number, [title: string, text: string]> = {
  0: ['The connection was lost', 'Nothing is gone. Check your connection and try again.'],
  404: [
    '404 – Page not found',
    'There is nothing at this address. It may have been sold, moved or never made.',
  ],
  405: ['405 – Method not allowed', 'This page cannot be used that way.'],
  413: ['That was too large', 'Files can be at most 10 MB. Please go back and choose a smaller one.'],
  503: ['The shop is very busy', 'Please wait a moment and try again. Nothing you did is lost.'],
}
const unexpected = [
  'Unexpected Application Error!',
  'Something went wrong on our side. Nothing you did is lost.',
] as const

/** An error inside a page: header and footer stay. */
export function PageError() {
  const error = useRouteError()
  const status = statusOf(error)
  const { pathname, search } = useLocation()
  const [title, text] = pages[status] ?? unexpected
  const requestId = status === 500 ? requestIdOf(error) : undefined
  return (
    <section className="notice">
      <Drawing name="wool" />
      <h1>{title}</h1>
      <p>{text}</p>
      {requestId && (
        <p>
          If you tell us about it, please add this number: <code>{requestId}</code>
        </p>
      )}
      <p className="actions">
        <Link className="button" to="/">
          Back to the shop
        </Link>
        {(status === 0 || status >= 500) && (
          <a className="button quiet" href={pathname + search}>
            Try again
          </a>
        )}
      </p>
    </section>
  )
}

/** An error in the frame itself: the message stands alone. */
export function RootError() {
  return (
    <main>
      <PageError />
    </main>
  )
}
