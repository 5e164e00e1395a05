-- Those who run the shop, and what they have done.

create table operators (
  user_id bigint primary key references users on delete cascade,
  added_at timestamptz not null default now()
);

-- A session whose operator has proved again who it is. The cookie with the token is one of its own: a copied session cookie
-- alone opens nothing.
create table operator_sessions (
  session_hash bytea primary key references sessions on delete cascade,
  token_hash bytea not null,
  expires_at timestamptz not null
);

-- Append-only. Only the people in a row are forgotten, when they delete their accounts.
create table operator_log (
  id bigint primary key default nextval('ids'),
  operator_id bigint references users on delete set null,
  -- Whether it was done by a command on the server, which has no operator.
  by_command boolean not null,
  action text not null,
  -- Whom it concerns: the seller of a listing, the author of a review.
  person_id bigint references users on delete set null,
  product_id bigint references products,
  -- The review may be deleted since.
  review_id bigint,
  order_id bigint references orders,
  -- The earlier entry that it takes back.
  about bigint references operator_log,
  reason text not null default '',
  -- The rule of the shop that was broken, for a statement of reasons.
  rule text not null default '',
  created_at timestamptz not null default now()
);
create index operator_log_operator on operator_log (operator_id) where operator_id is not null;
create index operator_log_person on operator_log (person_id, id) where person_id is not null;
create index operator_log_product on operator_log (product_id, id) where product_id is not null;
create index operator_log_review on operator_log (review_id, id) where review_id is not null;
create index operator_log_order on operator_log (order_id) where order_id is not null;
create index operator_log_about on operator_log (about) where about is not null;
create trigger operator_log_stays
  before delete or update of id, by_command, action, product_id, review_id, order_id, about, reason, rule, created_at or truncate
  on operator_log for each statement execute function forbid_direct_write('what stands in operator_log is never rewritten');
