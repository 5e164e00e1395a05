const days = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** 'March 7, 2026', the same on the server and in every browser: the day it was in UTC. */
export const formatDate = (moment: string): string => days.format(new Date(moment))
