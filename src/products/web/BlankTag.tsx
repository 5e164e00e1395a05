import { Drawing } from '#web/drawings.tsx'

/** A price tag with nothing on it. */
export const BlankTag = () => (
  <Drawing>
    <path d="M13 45 43 15a4 4 0 0 1 3-1h31a4 4 0 0 1 4 4v31a4 4 0 0 1-1 3L50 82a4 4 0 0 1-6 0L13 51a4 4 0 0 1 0-6z" />
    <circle cx="67" cy="28" r="5" />
    <path className="thread" d="M67 28c2-16 20-24 24-14s-10 16-14 10 4-14 12-18" />
  </Drawing>
)
