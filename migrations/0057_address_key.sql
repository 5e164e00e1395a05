-- The idempotency key of the form that saved an address.
alter table addresses
  add column key text,
  add constraint addresses_once unique (user_id, key);
