import { Link } from 'react-router'

interface AskMakerProps {
  username: string
  /** Id of the listing that it is about. */
  listing?: number
  children: string
}

/** Link to the page for a first message to a maker, or to their conversation. A visitor logs in first. */
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
