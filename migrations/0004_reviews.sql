create table reviews (
  id bigint primary key default nextval('ids'),
  product_id bigint not null references products,
  user_id bigint not null references users,
  review text not null constraint reviews_length check (char_length(review) between 2 and 2000),
  stars smallint not null constraint reviews_stars check (stars between 1 and 5),
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  constraint reviews_one_each unique (product_id, user_id)
);
create index reviews_newest on reviews (product_id, created_at desc, id desc);
