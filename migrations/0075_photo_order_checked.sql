alter table images validate constraint images_position_range;
alter table images validate constraint images_alt_length;
-- The first photo of a listing or a draft, and all of them in order. Built beside the former ones, so that others read meanwhile;
-- 0083 puts them in their place.
create index images_of_product_in_order on images (product_id, position, id);
create index images_of_draft_in_order on images (draft_id, position, id) where draft_id is not null;
