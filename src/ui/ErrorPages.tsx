import { useContext } from 'react'
import {
  isRouteErrorResponse,
  Link,
  UNSAFE_DataRouterDataContext as RouterData,
  useLocation,
  useRouteError,
} from 'react-router'
import { Problem } from '#problem'
import { Icon } from './icons.tsx'

/** Status of an error: 500 if it has none, 0 for a lost connection. */
function statusOf(error: unknown): number {
  if (isRouteErrorResponse(error)) return error.status
  if (isScriptLost(error)) return 0
  return error instanceof Problem ? error.status : 500
}

/** Whether a page's script could not be loaded. Browsers have different messages. */
const isScriptLost = (error: unknown) => error instanceof TypeError && /import|module/i.test(error.message)

/** Id of the failed request, which the server puts into the status text. */
const requestIdOf = (error: unknown) =>
  isRouteErrorResponse(error) ? error.statusText : error instanceof Problem ? error.requestId : undefined

/** Why a request was refused (4xx): the message of its problem. Undefined for an error of the shop. */
function reasonOf(error: unknown): string | undefined {
  const status = statusOf(error)
  if (status < 400 || status >= 500) return undefined
  const reason: unknown = isRouteErrorResponse(error) ? error.data : (error as Problem).message
  return typeof reason === 'string' && reason !== '' ? reason : undefined
}

const pages: Record<number, [title: string, text: string]> = {
  404: [
    '404 – Page not found',
    'There is nothing at this address. It may have been sold, moved or never made.',
  ],
  405: ['405 – Method not allowed', 'This page cannot be used that way.'],
}
/** Heading of every other failure, above its details. */
const UNEXPECTED = 'Unexpected Application Error!'
const reasons: Record<number, string> = {
  0: 'The connection was lost. Check your connection and try again.',
  400: 'This address cannot be read. A part of it may be missing.',
  413: 'Files can be at most 10 MB. Please go back and choose a smaller one.',
  503: 'The shop is busy or being restarted. Nothing you did is lost. Please try again in a moment.',
}
const ON_OUR_SIDE = 'Something went wrong on our side. Nothing you did is lost.'

/** An error inside a page: header and footer stay. */
export function PageError() {
  const error = useRouteError()
  const status = statusOf(error)
  const { pathname, search } = useLocation()
  const [title, text] = pages[status] ?? [UNEXPECTED, reasons[status] ?? reasonOf(error) ?? ON_OUR_SIDE]
  const again = status === 0 || status >= 500
  const message = useRefusal()
  const requestId = status === 500 ? requestIdOf(error) : undefined
  return (
    <section className="notice">
      <Wool />
      <h1>{title}</h1>
      {message && (
        <p className="error" role="alert">
          {message}
        </p>
      )}
      <p>{text}</p>
      {requestId && (
        <p>
          If you tell us about it, please add this number: <code>{requestId}</code>
        </p>
      )}
      <p className="actions">
        {again && (
          <a className="button" href={pathname + search}>
            Try again
          </a>
        )}
        <Link className={again ? 'button quiet' : 'button'} to="/">
          Back to the shop
        </Link>
      </p>
    </section>
  )
}

/** Message of a form whose page is gone. */
function useRefusal(): string | undefined {
  const [result] = Object.values(useContext(RouterData)?.actionData ?? {})
  return (result as { message?: string } | undefined)?.message
}

/** Inlined, because no file loads after the connection is lost. */
const Wool = () => (
  <Icon size={96} grid={96} line={2.5}>
    <circle cx="38" cy="42" r="27" />
    <path d="M17 26c15 1 32 14 37 37M30 16c14 4 28 17 34 33M13 40c11 0 23 10 26 28" />
    <path d="M38 69h18c11 0 10-13 20-13s11 14 2 14-5-12 4-12" stroke="var(--accent)" />
  </Icon>
)

/** An error in the layout itself: only the message. */
export function RootError() {
  return (
    <main>
      <PageError />
    </main>
  )
}
