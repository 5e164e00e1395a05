import { Drawing } from '#web/drawings.tsx'

/** A market stall, and what hangs over its counter. */
export const EmptyStall = () => (
  <Drawing>
    <path d="M10 36 20 14h56l10 22a9.5 9.5 0 0 1-19 0 9.5 9.5 0 0 1-19 0 9.5 9.5 0 0 1-19 0 9.5 9.5 0 0 1-19 0zM10 36h76" />
    <path d="M18 46v38M78 46v38M12 64h72" />
    <path className="thread" d="M36 64c2-9 12-10 13-3s-1 7 2 11-4 7-1 13" />
  </Drawing>
)
