-- Validates what 0066 added.
alter table images validate constraint images_of_one;
create index images_of_draft on images (draft_id, id) where draft_id is not null;
