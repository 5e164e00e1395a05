-- Orders of a seller that are open, or not settled: their sums, and those that are unpaid.
create index orders_seller_running on orders (seller_id, created_at desc, id desc)
  include (total_cents, cancelled_cents, paid_cents, refunded_cents)
  where is_open or total_cents - cancelled_cents - paid_cents + refunded_cents <> 0;
