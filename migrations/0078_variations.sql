-- What a listing can be chosen in, as questions with options that are always answered: [{"title": "Size", "instructions": "",
-- "required": true, "options": ["S", "M"]}]. The choice is the first answers of a line, so that it is frozen and shown with them.
alter table products
  add column variations jsonb not null default '[]',
  add constraint products_variations check (
    jsonb_typeof(variations) = 'array' and jsonb_array_length(variations) <= 2 and length(variations::text) <= 20000
  ) not valid;

-- A combination of options, with a price and a stock of its own. A listing without variations has none: its price and stock are
-- those of products and stock. One that has some has the lowest price there, and the sum of their stock.
create table variants (
  id bigint primary key default nextval('ids'),
  product_id bigint not null references products,
  -- One of each variation, in their order.
  options text[] not null,
  -- Among the combinations of the listing.
  position smallint not null,
  price_cents integer not null,
  sku text not null default '',
  -- Which photo of the listing shows it, by its place among them, from 1.
  photo smallint,
  -- Units in stock: the sum of its rows in stock_ledger.
  quantity integer not null default 0,
  -- Not for sale any more. Orders refer to it.
  deleted_at timestamptz,
  constraint variants_options check (cardinality(options) between 1 and 2),
  constraint variants_price check (price_cents between 1 and 99999999),
  constraint variants_quantity check (quantity >= 0),
  constraint variants_photo check (photo between 1 and 12),
  constraint variants_one_each unique (product_id, options)
);
create trigger variants_changed after insert or update or delete on variants
  for each statement execute function notify_invalidate();
create trigger variants_quantity_by_ledger before update of quantity on variants
  for each statement when (pg_trigger_depth() = 0)
  execute function forbid_direct_write('stock is changed by a row in stock_ledger');

alter table stock_ledger
  add column variant_id bigint,
  add constraint stock_ledger_variant foreign key (variant_id) references variants not valid;
alter table cart_lines
  add column variant_id bigint,
  add constraint cart_lines_variant foreign key (variant_id) references variants not valid;
alter table order_lines
  add column variant_id bigint,
  add constraint order_lines_variant foreign key (variant_id) references variants not valid;

-- As in 0016, with combinations.
create or replace function apply_ledger() returns trigger language plpgsql as $$
declare
  listings integer;
  changed integer;
begin
  select count(distinct product_id) into listings from written;
  if listings = 0 then
    return null;
  end if;
  -- The previous release does not know combinations: it must not sell one as the listing.
  if exists (
    select from written join products as p on p.id = written.product_id
    where written.reason = 'sale' and written.variant_id is null and p.variations <> '[]'
  ) then
    raise integrity_constraint_violation using message = 'a listing with variations is sold by its combinations';
  end if;
  insert into stock (product_id, quantity) select product_id, 0 from written where reason = 'opening';
  update stock set quantity = quantity + line.units
    from (select product_id, sum(units) as units from written group by product_id) as line
    where stock.product_id = line.product_id;
  get diagnostics changed = row_count;
  if changed < listings then
    raise foreign_key_violation using message = 'a listing has its opening in stock_ledger before anything else';
  end if;
  update variants set quantity = quantity + line.units
    from (select variant_id, sum(units) as units from written where variant_id is not null group by variant_id) as line
    where variants.id = line.variant_id;
  return null;
end $$;
