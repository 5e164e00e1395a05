-- Tells every process that sessions have ended, past the shop too: what it remembers of people may be theirs.
create function tell_ended() returns trigger language plpgsql as $$
begin
  if exists (select from gone) then
    perform pg_notify('ended', '');
  end if;
  return null;
end $$;

create trigger sessions_ended after delete on sessions referencing old table as gone
  for each statement execute function tell_ended();
