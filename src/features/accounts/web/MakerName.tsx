import { MakerLink } from './MakerLink.tsx'

interface MakerNameProps {
  username: string
  /** Whether the shop is suspended: then it has no page. */
  suspended: boolean
  /** Default: the username. */
  children?: string
}

/** The name of a maker, with a link to their page if there is one. */
export const MakerName = ({ username, suspended, children = username }: MakerNameProps) =>
  suspended ? <span dir="auto">{children}</span> : <MakerLink username={username}>{children}</MakerLink>
