import { createContext, data, type LoaderFunctionArgs } from 'react-router'

/** A request that the server will not serve as it was asked, and that is to be told so on a page. */
export interface Refusal {
  status: number
  message: string
}

export const refusalContext = createContext<Refusal | null>(null)

/** Loader around all pages: where the server refuses a request, its page is the error page of that status. */
export function loader({ context }: LoaderFunctionArgs): null {
  const refusal = context.get(refusalContext)
  if (refusal) throw data(refusal.message, { status: refusal.status })
  return null
}
