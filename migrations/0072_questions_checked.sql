-- As large tables are read meanwhile, in a migration of its own: it locks nothing.
alter table order_event_units validate constraint order_event_units_line_fkey;
alter table products validate constraint products_questions;
