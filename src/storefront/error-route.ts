import { createContext, data, type LoaderFunctionArgs } from 'react-router'

/** A request that the server refuses with an error page. */
export interface Refusal {
  status: number
  message: string
}

export const refusalContext = createContext<Refusal | null>(null)

/** Loader around all pages: a refused request gets the error page of its status. */
export function loader({ context }: LoaderFunctionArgs): null {
  const refusal = context.get(refusalContext)
  if (refusal) throw data(refusal.message, { status: refusal.status })
  return null
}
