-- A table in each of these migrations, so that they wait for no checkout while they hold another one up.
create index stock_ledger_variant on stock_ledger (variant_id) where variant_id is not null;
-- An order takes a combination once, and each cancellation gives it back once. 0084 puts it in its place.
create unique index stock_ledger_once_each
  on stock_ledger (order_id, product_id, reason, coalesce(event_id, 0), coalesce(variant_id, 0)) where order_id is not null;
