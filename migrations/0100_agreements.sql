-- Pages that new members agree to, while one of their versions is published.
alter table pages add column agreed_at_signup boolean not null default false;

-- Who agreed to which version, and when. Append-only: it goes with the account alone.
create table agreements (
  user_id bigint not null references users on delete cascade,
  version_id bigint not null references page_versions,
  agreed_at timestamptz not null default now(),
  primary key (user_id, version_id)
);
create index agreements_version on agreements (version_id);
create trigger agreements_stay
  before delete or update or truncate on agreements for each statement
  when (pg_trigger_depth() = 0) execute function forbid_direct_write('agreements are never rewritten');
