-- Somebody says that a listing, a review or a shop breaks a rule. `person_id`: whose it is. Without an account there is no
-- reporter, and an address only if they gave one.
create table reports (
  id bigint primary key default nextval('ids'),
  reporter_id bigint references users on delete set null,
  email text,
  person_id bigint references users on delete cascade,
  product_id bigint references products,
  review_id bigint,
  grounds text not null,
  words text not null,
  created_at timestamptz not null default now(),
  -- The entry of the log that answered it.
  answered_by bigint references operator_log
);
create index reports_reporter on reports (reporter_id) where reporter_id is not null;
create index reports_person on reports (person_id) where person_id is not null;
create index reports_product on reports (product_id) where product_id is not null;
create index reports_answered_by on reports (answered_by) where answered_by is not null;
create index reports_open on reports (id) where answered_by is null;

-- What somebody says against a decision about them; one for each decision.
create table objections (
  decision_id bigint primary key references operator_log,
  person_id bigint not null references users on delete cascade,
  words text not null,
  created_at timestamptz not null default now(),
  answered_by bigint references operator_log
);
create index objections_person on objections (person_id);
create index objections_answered_by on objections (answered_by) where answered_by is not null;
