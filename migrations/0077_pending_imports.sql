-- A listings file that its maker was shown what would become of, and that waits for their Yes. The next one replaces it.
create table pending_imports (
  id bigint primary key default nextval('ids'),
  seller_id bigint not null unique references users on delete cascade,
  file bytea not null,
  created_at timestamptz not null default now()
);
create index pending_imports_old on pending_imports (created_at);
