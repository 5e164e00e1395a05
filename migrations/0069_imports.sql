-- The listing of a file that a draft was made of, and what the file said: a later file does not replace what its maker changed.
alter table drafts
  add column source_key text,
  add column imported jsonb constraint drafts_imported_object check (jsonb_typeof(imported) = 'object'),
  add constraint drafts_imported_once unique (seller_id, source_key);
alter table products add column source_key text;
create unique index products_imported_once on products (seller_id, source_key) where source_key is not null;
