import { Link } from 'react-router'

interface AskMakerProps {
  username: string
  /** Id of the listing that it is about. */
  listing?: number
  children: string
}

/** Link to where one writes to a maker. A visitor logs in first, and comes back. */
export function AskMaker({ username, listing, children }: AskMakerProps) {
  const query = listing === undefined ? '' : `?listing=${listing}`
  return (
    <Link
      className="alone"
      to={`/messages/to/${encodeURIComponent(username)}${query}`}
      rel="nofollow"
      dir="auto"
    >
      {children}
    </Link>
  )
}
