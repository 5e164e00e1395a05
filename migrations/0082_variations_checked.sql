-- As large tables are read meanwhile, in a migration of its own: it locks nothing.
alter table products validate constraint products_variations;
alter table stock_ledger validate constraint stock_ledger_variant;
alter table cart_lines validate constraint cart_lines_variant;
alter table order_lines validate constraint order_lines_variant;
