import { type RawBuilder, sql } from 'kysely'

/** Whether the holiday in a row of `shops` is on today. Both days are included, in UTC. @param shops the alias of the table */
export const isAway = (shops: string): RawBuilder<boolean> =>
  sql`(now() at time zone 'UTC')::date between ${sql.ref(`${shops}.away_from`)} and ${sql.ref(`${shops}.away_until`)}`
