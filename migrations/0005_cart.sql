-- The row that every change of a cart locks first, so that two checkouts of one cart stand in line.
create table carts (
  user_id bigint primary key references users on delete cascade
);

create table cart_lines (
  id bigint primary key default nextval('ids'),
  user_id bigint not null references carts on delete cascade,
  product_id bigint not null references products,
  quantity integer not null constraint cart_lines_quantity check (quantity between 1 and 30),
  created_at timestamptz not null default now(),
  constraint cart_lines_one_each unique (user_id, product_id)
);
