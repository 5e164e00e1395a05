/** The folders of all pictures, for a backup to take along. */
export const FOLDERS = 'select folder from images order by id'

/** Takes the pictures in some folders out of the database, for a backup that could not take them along. */
export const WITHOUT_FOLDERS = 'delete from images where folder = any($1::text[])'
