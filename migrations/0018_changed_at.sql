-- When a listing's words or its price last changed, for those who look again only at what is new; null: never.
alter table products add column changed_at timestamptz;

create function note_change() returns trigger language plpgsql as $$
begin
  new.changed_at := now();
  return new;
end $$;

create trigger products_note_change before update on products for each row
  when ((old.name, old.category, old.description, old.price_cents)
    is distinct from (new.name, new.category, new.description, new.price_cents))
  execute function note_change();
