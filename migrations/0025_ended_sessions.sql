-- Which tokens opened a session until a short while ago: a long form that is sent with one comes back with what was typed.
-- They open nothing any more.
create table ended_sessions (
  token_hash bytea primary key,
  ended_at timestamptz not null default now()
);

create function remember_ended() returns trigger language plpgsql as $$
begin
  insert into ended_sessions (token_hash) select token_hash from gone on conflict do nothing;
  return null;
end $$;

create trigger sessions_remembered after delete on sessions referencing old table as gone
  for each statement execute function remember_ended();
