-- What people want to find again. Nobody else's business, so no visitor's page changes with it.
create table favourites (
  user_id bigint not null references users on delete cascade,
  product_id bigint not null references products on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, product_id)
);
create index favourites_newest on favourites (user_id, created_at desc, product_id desc);
