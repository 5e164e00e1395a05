-- Commits that notify wait for one another in the whole server. A process that publishes its changes itself, after the commit,
-- says so with the setting shop.publishes, and is told by a notice that its transaction has changed something. All other
-- sessions notify when they commit, as before.
create or replace function notify_invalidate() returns trigger language plpgsql as $$
begin
  if current_setting('shop.publishes', true) = 'on' then
    raise notice using message = 'changed', errcode = 'TH001';
  else
    perform pg_notify('changed', '');
  end if;
  return null;
end $$;

-- Nothing that concerns one person is cached any more. A process of the version before caches it only where no other process
-- serves the same database.
drop trigger sessions_ended on sessions;
drop function notify_session_ended();
