create table orders (
  id bigint primary key default nextval('ids'),
  user_id bigint not null references users,
  status text not null default 'Pending' check (status in ('Pending', 'Cancelled')),
  -- Beyond an integer: 30 pieces of each of many dear listings.
  total_cents bigint not null check (total_cents > 0),
  -- What the browser sends to say "the same order again"; unique for one person.
  idempotency_key text,
  created_at timestamptz not null default now(),
  cancelled_at timestamptz,
  constraint orders_once_per_key unique (user_id, idempotency_key)
);
create index orders_of_user on orders (user_id, created_at desc, id desc);

-- Name and price as they were when the order was placed.
create table order_lines (
  order_id bigint not null references orders,
  product_id bigint not null references products,
  name text not null,
  price_cents integer not null check (price_cents > 0),
  quantity integer not null check (quantity between 1 and 30),
  primary key (order_id, product_id)
);
