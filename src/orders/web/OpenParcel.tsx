import { Drawing } from '#web/drawings.tsx'

/** A parcel that is not packed yet, with its string. */
export const OpenParcel = () => (
  <Drawing>
    <path d="M16 46h64v34a4 4 0 0 1-4 4H20a4 4 0 0 1-4-4z" />
    <path d="M24 36 16 46 6 60M72 36l8 10 10 14" />
    <path className="thread" d="M48 62V42c0-10-16-8-16-18s14-10 14-1-9 9-9 1 15-14 27-8" />
  </Drawing>
)
