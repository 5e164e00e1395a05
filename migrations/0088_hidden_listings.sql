-- Hidden by an operator, or because its seller is suspended: like a retired one, such a listing is deleted for everybody, and can
-- be brought back. The constraint is validated by the next migration.
alter table products
  add column hidden_at timestamptz,
  add column suspended_at timestamptz,
  add constraint products_hidden_deleted
    check (deleted_at is not null or (hidden_at is null and suspended_at is null)) not valid;
