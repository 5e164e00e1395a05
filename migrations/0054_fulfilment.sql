-- From an order to its parcels: addresses, postage, one order for each seller, what happened to it, and messages.

-- Addresses of a person. An order has a copy of its own.
create table addresses (
  id bigint primary key default nextval('ids'),
  user_id bigint not null references users on delete cascade,
  name text not null,
  line1 text not null,
  line2 text not null default '',
  city text not null,
  region text not null default '',
  postal_code text not null default '',
  country text not null check (country ~ '^[A-Z]{2}$'),
  created_at timestamptz not null default now()
);
create index addresses_user on addresses (user_id, id);

-- Postage of a seller. `is_default`: of the listings that name no other.
create table postage_profiles (
  id bigint generated always as identity primary key,
  seller_id bigint not null references users on delete cascade,
  name text not null,
  -- Unknown until the seller says it.
  from_country text check (from_country ~ '^[A-Z]{2}$'),
  is_default boolean not null default false,
  created_at timestamptz not null default now()
);
create index postage_profiles_seller on postage_profiles (seller_id, id);
create unique index postage_profiles_default on postage_profiles (seller_id) where is_default;

-- `destination`: a country, 'EU', or '*' for everywhere else. Without a row nothing is sent there.
create table postage_rates (
  id bigint generated always as identity primary key,
  profile_id bigint not null references postage_profiles on delete cascade,
  destination text not null check (destination ~ '^([A-Z]{2}|\*)$'),
  -- Of the first piece of a parcel, and of each further one.
  first_cents integer not null check (first_cents >= 0),
  further_cents integer not null check (further_cents >= 0),
  days_min integer not null,
  days_max integer not null,
  constraint postage_rates_once unique (profile_id, destination),
  constraint postage_rates_days check (0 <= days_min and days_min <= days_max)
);
-- Where a piece can be collected, without postage and without an address.
create table pickup_places (
  id bigint generated always as identity primary key,
  profile_id bigint not null references postage_profiles on delete cascade,
  place text not null,
  hours text not null default '',
  constraint pickup_places_once unique (profile_id, place)
);

alter table products
  add column postage_profile_id bigint references postage_profiles on delete set null,
  add column made_to_order boolean not null default false,
  -- Most days until it is ready to send.
  add column handling_days integer not null default 3 check (handling_days between 1 and 180);

-- Every seller has a default profile, so that nothing stops selling.
create function add_default_postage() returns trigger language plpgsql as $$
begin
  with added as (
    insert into postage_profiles (seller_id, name, is_default)
    select distinct seller_id, 'Pick-up or by arrangement', true from written
    where not exists (select from postage_profiles as p where p.seller_id = written.seller_id and p.is_default)
    on conflict do nothing
    returning id
  )
  insert into pickup_places (profile_id, place) select id, 'Pick-up or by arrangement' from added;
  return null;
end $$;
create trigger products_postage after insert on products referencing new table as written
  for each statement execute function add_default_postage();
create trigger postage_profiles_changed after insert or delete or update on postage_profiles
  for each statement execute function notify_invalidate();
create trigger postage_rates_changed after insert or delete or update on postage_rates
  for each statement execute function notify_invalidate();
create trigger pickup_places_changed after insert or delete or update on pickup_places
  for each statement execute function notify_invalidate();

alter table shops
  -- Holiday mode: both days are included.
  add column away_from date,
  add column away_until date,
  add column away_note text not null default '',
  -- How to pay, in the seller's words. Only the shoppers of their orders read it.
  add column payment_words text not null default '',
  add constraint shops_away check (away_from <= away_until and (away_from is null) = (away_until is null));

-- Where a cart is sent, and what was chosen for the pieces of each seller.
alter table carts add column address_id bigint references addresses on delete set null;
create index carts_address on carts (address_id) where address_id is not null;
create table cart_choices (
  user_id bigint not null references carts (user_id) on delete cascade,
  seller_id bigint not null references users on delete cascade,
  -- Null: sent by post where that is possible.
  pickup_id bigint references pickup_places on delete set null,
  -- For the seller.
  note text not null default '',
  primary key (user_id, seller_id)
);
create index cart_choices_seller on cart_choices (seller_id);
create index cart_choices_pickup on cart_choices (pickup_id) where pickup_id is not null;

-- A purchase is what one checkout bought: an order for each seller. Its number is that of its first order.
alter table orders
  add column purchase_id bigint references orders,
  -- Null: an account that the release before has deleted.
  add column seller_id bigint references users on delete set null,
  -- Included in the total.
  add column postage_cents bigint not null default 0 check (postage_cents >= 0),
  -- As at checkout: the name of the postage profile, days to deliver, and the day by which it is ready.
  add column postage_name text not null default '',
  add column days_min integer,
  add column days_max integer,
  add column ready_by timestamptz,
  -- Collected, not sent. The code is said at the stall.
  add column pickup_place text,
  add column pickup_hours text,
  add column pickup_code text,
  -- Of the shopper, for the seller.
  add column note text not null default '',
  -- Whether some pieces are neither sent nor cancelled. Kept by the trigger of order_event_units.
  add column is_open boolean not null default true,
  drop constraint orders_status_check,
  add constraint orders_status_check
    check (status in ('Pending', 'Part cancelled', 'Part sent', 'Sent', 'Cancelled')),
  drop constraint orders_total_cents_check,
  add constraint orders_total_cents_check check (total_cents > postage_cents);
create table order_addresses (
  order_id bigint primary key references orders,
  name text not null,
  line1 text not null,
  line2 text not null,
  city text not null,
  region text not null,
  postal_code text not null,
  country text not null
);

-- Sums of order_event_units, kept by its trigger. The other pieces are open.
alter table order_lines
  add column sent integer not null default 0,
  add column cancelled integer not null default 0,
  add constraint order_lines_units check (sent >= 0 and cancelled >= 0 and sent + cancelled <= quantity);

-- What happened to an order, append-only: everything that pages say about it is computed from this.
create table order_events (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  kind text not null,
  -- The event that this one is about: what was undone, or which parcel was received.
  about bigint references order_events,
  -- Who: 'shopper', 'maker' or 'shop'.
  role text not null check (role in ('shopper', 'maker', 'shop')),
  reason text not null default '',
  carrier text,
  tracking text,
  cents bigint check (cents > 0),
  happened_on date,
  -- The idempotency key of its request.
  key text,
  created_at timestamptz not null default now(),
  constraint order_events_once unique (order_id, key),
  constraint order_events_kind check (
    case kind
      -- A parcel was handed over; `carrier` and `tracking` may be unknown.
      when 'sent' then about is null and cents is null
      when 'ready' then about is null and cents is null
      when 'collected' then about is null and cents is null
      when 'tracked' then about is not null and tracking is not null
      when 'received' then about is not null
      when 'undone' then about is not null
      when 'cancelled' then about is null and cents is null
      when 'paid' then cents is not null and happened_on is not null
      when 'refunded' then cents is not null and happened_on is not null
      else false
    end
  )
);
create index order_events_order on order_events (order_id, id);
create unique index order_events_about on order_events (about, kind) where about is not null and kind in ('received', 'undone');
create index order_events_about_tracked on order_events (about) where about is not null;
-- The pieces of a parcel or of a cancellation. Undoing has the pieces of what is undone.
create table order_event_units (
  event_id bigint not null references order_events,
  order_id bigint not null,
  product_id bigint not null,
  units integer not null check (units > 0),
  primary key (event_id, product_id),
  foreign key (order_id, product_id) references order_lines
);
create index order_event_units_line on order_event_units (order_id, product_id);
-- A reason is emptied when its person deletes their account.
create trigger order_events_stay
  before delete or truncate or update of id, order_id, kind, about, role, carrier, tracking, cents, happened_on, key, created_at
  on order_events for each statement execute function forbid_direct_write('order_events are never rewritten');
create trigger order_event_units_stay before update or delete or truncate on order_event_units
  for each statement execute function forbid_direct_write('order_event_units are never rewritten');

-- Sums the units up. The constraint order_lines_units refuses what is more than was ordered.
create function apply_order_event() returns trigger language plpgsql as $$
begin
  update order_lines as l
    set sent = l.sent + line.sent, cancelled = l.cancelled + line.cancelled
    from (
      select w.order_id, w.product_id,
        coalesce(sum(w.units) filter (where e.kind in ('sent', 'collected')), 0)
          - coalesce(sum(w.units) filter (where e.kind = 'undone'), 0) as sent,
        coalesce(sum(w.units) filter (where e.kind = 'cancelled'), 0) as cancelled
      from written as w join order_events as e on e.id = w.event_id
      group by w.order_id, w.product_id
    ) as line
    where l.order_id = line.order_id and l.product_id = line.product_id;
  update orders as o
    set is_open = sums.open > 0,
      status = case
        when sums.cancelled = sums.quantity then 'Cancelled'
        when sums.open = 0 then 'Sent'
        when sums.sent > 0 then 'Part sent'
        when sums.cancelled > 0 then 'Part cancelled'
        else 'Pending'
      end,
      cancelled_at = case when sums.cancelled = sums.quantity then coalesce(o.cancelled_at, now()) end
    from (
      select order_id, sum(quantity) as quantity, sum(sent) as sent, sum(cancelled) as cancelled,
        sum(quantity - sent - cancelled) as open
      from order_lines where order_id in (select order_id from written) group by order_id
    ) as sums
    where o.id = sums.order_id;
  return null;
end $$;
create trigger order_event_units_summed after insert on order_event_units referencing new table as written
  for each statement execute function apply_order_event();

-- Gives an order to the seller of its pieces. Pieces of further sellers go to orders of their own, under the same purchase.
-- Their entries in stock_ledger keep the number of the purchase.
create function split_order(whole bigint) returns void language plpgsql as $$
declare
  first_seller bigint;
  part record;
begin
  select min(p.seller_id) into first_seller
    from order_lines as l join products as p on p.id = l.product_id where l.order_id = whole;
  if first_seller is null then
    return;
  end if;
  for part in
    select p.seller_id, nextval('ids') as id
    from order_lines as l join products as p on p.id = l.product_id
    where l.order_id = whole and p.seller_id <> first_seller group by p.seller_id order by p.seller_id
  loop
    insert into orders (id, user_id, status, total_cents, created_at, cancelled_at, purchase_id, seller_id, is_open)
      select part.id, o.user_id, o.status, sum(l.price_cents::bigint * l.quantity), o.created_at, o.cancelled_at, whole,
        part.seller_id, o.is_open
      from orders as o join order_lines as l on l.order_id = o.id join products as p on p.id = l.product_id
      where o.id = whole and p.seller_id = part.seller_id group by o.id;
    update order_lines as l set order_id = part.id from products as p
      where l.order_id = whole and p.id = l.product_id and p.seller_id = part.seller_id;
    update outbox set subject = part.id
      where subject = whole and recipient = part.seller_id and kind in ('sold', 'sale-cancelled');
  end loop;
  update orders set seller_id = first_seller, purchase_id = whole,
    total_cents = (select sum(price_cents::bigint * quantity) from order_lines where order_id = whole)
    where id = whole;
end $$;
-- Until the next release: orders and cancellations of the release before, which runs beside this one during an upgrade.
create function adopt_order() returns trigger language plpgsql as $$
begin
  perform split_order(new.id);
  return null;
end $$;
create constraint trigger orders_of_previous_release after insert on orders deferrable initially deferred
  for each row when (new.seller_id is null) execute function adopt_order();
create function adopt_cancellation() returns trigger language plpgsql as $$
declare
  event bigint;
begin
  insert into order_events (order_id, kind, role) values (new.id, 'cancelled', 'shopper') returning id into event;
  insert into order_event_units (event_id, order_id, product_id, units)
    select event, order_id, product_id, quantity from order_lines where order_id = new.id;
  return null;
end $$;
create trigger orders_cancelled_by_previous_release after update of status on orders
  -- Without a seller: cancelled before migration 0056, which splits the order and records it.
  for each row when (old.status = 'Pending' and new.status = 'Cancelled' and new.seller_id is not null and pg_trigger_depth() = 0)
  execute function adopt_cancellation();

-- The cancellation that gave pieces back.
alter table stock_ledger add column event_id bigint references order_events;
-- Messages between the shopper and the seller of an order; nobody else reads them.
create table order_messages (
  id bigint primary key default nextval('ids'),
  order_id bigint not null references orders,
  role text not null check (role in ('shopper', 'maker')),
  text text not null,
  key text,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  constraint order_messages_once unique (order_id, role, key)
);
create index order_messages_order on order_messages (order_id, id);
create index order_messages_unread on order_messages (order_id, role) where read_at is null;
