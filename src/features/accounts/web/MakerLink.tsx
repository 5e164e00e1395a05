import { Link, type LinkProps } from 'react-router'

/** The page of a maker. A username may hold anything but the ends of its blanks. */
export const shopOf = (username: string): string => `/shops/${encodeURIComponent(username)}`

/** Leads to a maker's page. */
export const MakerLink = ({
  username,
  children = username,
  ...link
}: Omit<LinkProps, 'to'> & { username: string }) => (
  <Link to={shopOf(username)} dir="auto" {...link}>
    {children}
  </Link>
)
