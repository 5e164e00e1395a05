-- Counts the changes of a listing's words and price, so that a form filled from an older version is noticed. Sales and
-- reviews are no such change.
alter table products add column version integer not null default 1;

create or replace function note_change() returns trigger language plpgsql as $$
begin
  new.changed_at := now();
  new.version := old.version + 1;
  return new;
end $$;
