-- Tells every process that something a visitor can see has changed, when the transaction commits.
create function tell_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('changed', '');
  return null;
end $$;

create trigger products_changed after insert or update or delete on products
  for each statement execute function tell_changed();
create trigger stock_changed after insert or update or delete on stock
  for each statement execute function tell_changed();
create trigger images_changed after insert or update or delete on images
  for each statement execute function tell_changed();
create trigger reviews_changed after insert or update or delete on reviews
  for each statement execute function tell_changed();
