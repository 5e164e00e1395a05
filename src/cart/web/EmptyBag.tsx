import { Drawing } from '#web/drawings.tsx'

/** A bag with a seam that somebody left open. */
export const EmptyBag = () => (
  <Drawing>
    <path d="M22 36h52l4 44a4 4 0 0 1-4 4H22a4 4 0 0 1-4-4z" />
    <path d="M36 46V26a12 12 0 0 1 24 0v20" />
    <path className="thread" d="M25 56h44" strokeDasharray="6 5.5" />
    <path className="thread" d="M76 56c9 0 11 6 7 10s-3 10 6 10" />
  </Drawing>
)
