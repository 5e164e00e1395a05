import { Link, type LinkProps } from 'react-router'

/** Address of a seller's page. */
export const shopPath = (username: string): string => `/shops/${encodeURIComponent(username)}`

/** Link to a seller's page. Default text: the username. */
export const MakerLink = ({
  username,
  children = username,
  ...link
}: Omit<LinkProps, 'to'> & { username: string }) => (
  <Link to={shopPath(username)} dir="auto" {...link}>
    {children}
  </Link>
)
