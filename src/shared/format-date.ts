const days = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** 'March 7, 2026' in UTC, so that server and browser agree. */
export const formatDate = (moment: string): string => days.format(new Date(moment))

/** 'March 7, 2026, 14:05 UTC'. */
export const formatMoment = (moment: string): string => `${formatDate(moment)}, ${moment.slice(11, 16)} UTC`
