-- Listings that are not published yet: only their maker sees them. Fields are the texts of the listing form, as typed.
create table drafts (
  id bigint primary key default nextval('ids'),
  seller_id bigint not null references users on delete cascade,
  fields jsonb not null constraint drafts_fields_object check (jsonb_typeof(fields) = 'object'),
  version integer not null default 1,
  -- Names the attempt that added it.
  added_as text,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  -- The greatest length in characters, each of four bytes, and the names of the fields.
  constraint drafts_fields_size check (octet_length(fields::text) <= 320000),
  constraint drafts_added_once unique (seller_id, added_as)
);
create index drafts_newest on drafts (seller_id, changed_at desc, id desc);

-- A photo of a draft. The next migration validates the constraint, which lets others read meanwhile.
alter table images
  add column draft_id bigint references drafts on delete cascade,
  add constraint images_of_one check (product_id is null or draft_id is null) not valid;
