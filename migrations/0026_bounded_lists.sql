-- The pending orders of a person, page by page, however many cancelled ones lie between them.
create index orders_pending on orders (user_id, created_at desc, id desc) where status = 'Pending';

-- What a piece cost when it was put into the cart; null for what lies there since before this was noted.
alter table cart_lines add column added_price_cents integer
  constraint cart_lines_added_price check (added_price_cents > 0);
