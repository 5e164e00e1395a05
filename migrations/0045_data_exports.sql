-- Archives of what is stored about a person, made by a job. One row for each person: what they asked for last.
create table data_exports (
  id bigint primary key default nextval('ids'),
  user_id bigint not null references users on delete cascade constraint data_exports_one_each unique,
  requested_at timestamptz not null default now(),
  -- When it is made, or tried again; null: it is made, or has failed.
  due_at timestamptz default now(),
  tries integer not null default 0,
  -- Until then it belongs to the process that makes it.
  leased_until timestamptz,
  made_at timestamptz,
  failed_at timestamptz,
  last_error text,
  -- When the row goes, and its archive before it.
  expires_at timestamptz,
  -- Folder of the archive in the storage, and its size.
  folder text,
  bytes bigint,
  -- SHA-256 of the secrets in letters: one for each letter that was sent, or tried.
  link_hashes bytea[] not null default '{}',
  constraint data_exports_state check (num_nonnulls(due_at, made_at, failed_at) = 1),
  constraint data_exports_made check (num_nonnulls(made_at, folder, bytes) in (0, 3)),
  constraint data_exports_expire check ((expires_at is null) = (due_at is not null))
);
create index data_exports_due on data_exports (due_at) where due_at is not null;
create index data_exports_expired on data_exports (expires_at) where expires_at is not null;
