-- Listings that were deleted lately: their photos go within a minute.
create index products_deleted on products (deleted_at) where deleted_at is not null;

-- Whose photo it is, and how many bytes its files take together: for the quota of each person. The bytes are null until
-- the sweep has measured a photo that an older version stored.
alter table images
  add column owner_id bigint references users,
  add column bytes bigint constraint images_bytes_never_negative check (bytes >= 0);
update images i set owner_id = p.seller_id from products p where p.id = i.product_id;
update images i set owner_id = s.user_id from shops s where s.image_id = i.id;
create index images_of_owner on images (owner_id) include (bytes);
create index images_unmeasured on images (id) where bytes is null;
