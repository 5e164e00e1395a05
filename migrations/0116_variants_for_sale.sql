-- Combinations that are for sale are found however many were left out before.
create index variants_for_sale on variants (product_id, position) where deleted_at is null;
