-- A statement that sells nothing, because something was in its way, changes nothing: nobody has to hear of it.
create or replace function sum_stock() returns trigger language plpgsql as $$
declare
  listings integer;
  changed integer;
begin
  select count(distinct product_id) into listings from written;
  if listings = 0 then
    return null;
  end if;
  insert into stock (product_id, quantity) select product_id, 0 from written where reason = 'opening';
  update stock set quantity = quantity + line.units
    from (select product_id, sum(units) as units from written group by product_id) as line
    where stock.product_id = line.product_id;
  get diagnostics changed = row_count;
  if changed < listings then
    raise foreign_key_violation using message = 'a listing has its opening in stock_ledger before anything else';
  end if;
  return null;
end $$;
