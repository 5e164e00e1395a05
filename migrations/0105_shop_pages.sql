-- What the page of a maker shows beside their words: a wide photo, how to reach them, and what they say of returns, of pieces
-- made to order and of care. '' where they say nothing.
alter table shops
  add column banner_id bigint constraint shops_one_banner unique references images on delete set null,
  add column contact_email text not null default '' constraint shops_contact_email_length check (char_length(contact_email) <= 254),
  add column contact_phone text not null default '' constraint shops_contact_phone_length check (char_length(contact_phone) <= 40),
  add column returns text not null default '' constraint shops_returns_length check (char_length(returns) <= 2000),
  add column custom_orders text not null default '' constraint shops_custom_orders_length check (char_length(custom_orders) <= 2000),
  add column care text not null default '' constraint shops_care_length check (char_length(care) <= 2000);
