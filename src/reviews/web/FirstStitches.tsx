import { Drawing } from '#web/drawings.tsx'

/** Words that are being stitched. */
export const FirstStitches = () => (
  <Drawing>
    <path d="M20 16h56a8 8 0 0 1 8 8v34a8 8 0 0 1-8 8H46L30 82V66H20a8 8 0 0 1-8-8V24a8 8 0 0 1 8-8z" />
    <path className="thread" d="M24 34h48M24 50h22" strokeDasharray="6 5.5" />
    <path d="m48 51 24-8M53 49.3l2.500-.8" />
  </Drawing>
)
