-- Pages about the shop: who runs it, and its terms. Each has one row, as soon as somebody has written a draft.
create table pages (
  slug text primary key,
  -- The version that everybody reads; null: none.
  published_version bigint,
  published_at timestamptz,
  check ((published_version is null) = (published_at is null))
);

-- What was written, in Markdown. Append-only: only its author is forgotten, when they delete their account.
create table page_versions (
  id bigint primary key default nextval('ids'),
  slug text not null,
  text text not null check (char_length(text) between 1 and 50000),
  author_id bigint references users on delete set null,
  created_at timestamptz not null default now(),
  unique (slug, id)
);
create index page_versions_author on page_versions (author_id) where author_id is not null;
create trigger page_versions_stay
  before delete or update of id, slug, text, created_at or truncate
  on page_versions for each statement execute function forbid_direct_write('what stands in page_versions is never rewritten');

create index pages_version on pages (slug, published_version);
alter table pages add foreign key (slug, published_version) references page_versions (slug, id);
create trigger pages_changed after insert or update or delete on pages
  for each statement execute function notify_invalidate();
