/** Folders of all images, for a backup. */
export const FOLDERS = 'select folder from images order by id'

/** Deletes the images in these folders, which a backup could not copy. */
export const WITHOUT_FOLDERS = 'delete from images where folder = any($1::text[])'
