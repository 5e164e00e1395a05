create index stock_ledger_variant on stock_ledger (variant_id) where variant_id is not null;
create index cart_lines_variant on cart_lines (variant_id) where variant_id is not null;
create index order_lines_variant on order_lines (variant_id) where variant_id is not null;
-- An order takes a combination once, and each cancellation gives it back once.
drop index stock_ledger_once;
create unique index stock_ledger_once
  on stock_ledger (order_id, product_id, reason, coalesce(event_id, 0), coalesce(variant_id, 0)) where order_id is not null;
