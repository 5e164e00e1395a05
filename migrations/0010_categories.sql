-- Listings of one category, newest first.
create index products_in_category on products (category, created_at desc, id desc) where deleted_at is null;
