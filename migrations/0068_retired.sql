-- A retired listing is deleted for everybody, but can be brought back. The constraint is validated by the next migration,
-- which lets others read and write meanwhile.
alter table products
  add column retired_at timestamptz,
  add constraint products_retired_deleted check (retired_at is null or deleted_at is not null) not valid;
