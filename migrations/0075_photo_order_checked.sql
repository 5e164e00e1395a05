alter table images validate constraint images_position_range;
alter table images validate constraint images_alt_length;
-- The first photo of a listing or a draft, and all of them in order.
drop index images_of_product, images_of_draft;
create index images_of_product on images (product_id, position, id);
create index images_of_draft on images (draft_id, position, id) where draft_id is not null;
