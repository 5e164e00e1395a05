/** SQL for a backup: the folder of each image, and the columns from which `imageFiles` makes its file names. */
export const FOLDERS = 'select folder, kind, widths from images order by id'

/** Deletes the images in these folders, which a backup could not copy. */
export const WITHOUT_FOLDERS = 'delete from images where folder = any($1::text[])'
