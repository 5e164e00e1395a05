const days = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** '7 March 2026', the same on the server and in every browser: the day it was in UTC. */
export const dayOf = (moment: string): string => days.format(new Date(moment))
