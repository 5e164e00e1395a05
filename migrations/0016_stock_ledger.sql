-- The books: every change of stock is a row here, and stock is their sum. Writing a row is the only way to change
-- stock: the trigger below adds it up in the same statement, and stock refuses every other hand. What happened is
-- never rewritten; a mistake is put right by a row of its own, a correction.
create table stock_ledger (
  product_id bigint not null references products,
  id bigint generated always as identity,
  -- Pieces that came, or negative: that went.
  units integer not null,
  reason text not null,
  order_id bigint references orders,
  created_at timestamptz not null default now(),
  primary key (product_id, id),
  constraint stock_ledger_reason check (
    case reason
      when 'opening' then units >= 0
      when 'sale' then units < 0
      -- None come back where the stock is already the largest there may be.
      when 'cancel' then units >= 0
      when 'restock' then units > 0
      when 'correction' then units <> 0
      else false
    end
  ),
  constraint stock_ledger_of_order check ((reason in ('sale', 'cancel')) = (order_id is not null))
);
-- An order takes a listing once, and gives it back once.
create unique index stock_ledger_once on stock_ledger (order_id, product_id, reason) where order_id is not null;

-- What is in stock at this moment is where the books begin.
insert into stock_ledger (product_id, units, reason) select product_id, quantity, 'opening' from stock;

create function sum_stock() returns trigger language plpgsql as $$
declare
  listings integer;
  changed integer;
begin
  select count(distinct product_id) into listings from written;
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
create trigger stock_ledger_summed after insert on stock_ledger referencing new table as written
  for each statement execute function sum_stock();

create function refuse_by_hand() returns trigger language plpgsql as $$
begin
  raise insufficient_privilege using message = tg_argv[0];
end $$;
-- Depth 0 is a statement of its own; the trigger above is deeper.
create trigger stock_by_ledger before insert or update or delete or truncate on stock
  for each statement when (pg_trigger_depth() = 0)
  execute function refuse_by_hand('stock is changed by a row in stock_ledger');
create trigger stock_ledger_stays before update or delete or truncate on stock_ledger
  for each statement execute function refuse_by_hand('what stands in stock_ledger is never rewritten');
