create index products_postage_profile on products (postage_profile_id) where postage_profile_id is not null;
create index orders_purchase on orders (purchase_id);
create index orders_seller on orders (seller_id, created_at desc, id desc);
create index orders_seller_open on orders (seller_id, ready_by, id) where is_open;
-- An order gives pieces back once for each cancellation.
create index stock_ledger_event on stock_ledger (event_id) where event_id is not null;
drop index stock_ledger_once;
create unique index stock_ledger_once on stock_ledger (order_id, product_id, reason, coalesce(event_id, 0))
  where order_id is not null;
