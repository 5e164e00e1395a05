/** The images, for a backup: their folders, and what `imageFiles` makes the names of their files of. */
export const FOLDERS = 'select folder, kind, widths from images order by id'

/** Deletes the images in these folders, which a backup could not copy. */
export const WITHOUT_FOLDERS = 'delete from images where folder = any($1::text[])'
