create table products (
  id bigint primary key default nextval('ids'),
  seller_id bigint not null references users,
  name text not null constraint products_name_length check (char_length(name) between 1 and 50),
  category text not null constraint products_category_length check (char_length(category) between 1 and 50),
  description text not null constraint products_description_length check (char_length(description) between 1 and 255),
  price_cents integer not null constraint products_price_positive check (price_cents > 0 and price_cents <= 99999999),
  created_at timestamptz not null default now(),
  -- A deleted listing is hidden, not erased: orders keep pointing at it.
  deleted_at timestamptz
);
create index products_newest on products (created_at desc, id desc) where deleted_at is null;
create index products_of_seller on products (seller_id, created_at desc, id desc) where deleted_at is null;

-- Stock changes with every sale. In a narrow table of its own, half empty pages keep all those updates
-- in place (HOT); inside products they would rewrite wide rows and their index entries.
create table stock (
  product_id bigint primary key references products,
  quantity integer not null constraint stock_never_negative check (quantity >= 0 and quantity <= 1000000)
) with (fillfactor = 50);
