-- The idempotency key of the last add to a line of a cart: a retry after a lost response adds nothing.
alter table cart_lines add column added_as text;
