/** Folders of all images with the names of their files (`imageFiles`), for a backup. */
export const FOLDERS = `
  select folder, array(select width || '.webp' from unnest(widths) as width)
    || case when kind = 'document' then '{document.pdf}' else '{}' end::text[] as files
  from images order by id`

/** Deletes the images in these folders, which a backup could not copy. */
export const WITHOUT_FOLDERS = 'delete from images where folder = any($1::text[])'
