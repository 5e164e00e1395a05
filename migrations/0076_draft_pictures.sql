-- Photos of imported drafts: a job fetches them one by one, or their maker sends them in a zip.
create table draft_pictures (
  id bigint primary key default nextval('ids'),
  seller_id bigint not null references users on delete cascade,
  -- One of the two: where the photo goes. A draft that is published hands its pictures to the listing.
  draft_id bigint references drafts on delete cascade,
  product_id bigint references products on delete cascade,
  -- Place among the photos, from 1.
  position integer not null,
  alt text not null default '',
  -- Where the photo is, on the one host that is allowed; or `zip:` and the name of its file in a zip.
  url text not null,
  state text not null default 'pending',
  -- Of the last try that failed, in words for the maker.
  reason text,
  attempts integer not null default 0,
  -- When it is tried next.
  next_at timestamptz not null default now(),
  -- Until then it belongs to the process that fetches it.
  leased_until timestamptz,
  constraint draft_pictures_state check (state in ('pending', 'fetched', 'failed')),
  constraint draft_pictures_one_place check (num_nonnulls(draft_id, product_id) = 1),
  constraint draft_pictures_once unique (draft_id, url)
);
create index draft_pictures_seller on draft_pictures (seller_id, state);
create index draft_pictures_product on draft_pictures (product_id) where product_id is not null;
create index draft_pictures_due on draft_pictures (position, id) where state = 'pending';
create index draft_pictures_leased on draft_pictures (leased_until) where leased_until is not null;
