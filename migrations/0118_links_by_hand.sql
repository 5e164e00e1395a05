-- A link for a new password that an operator hands to somebody does not show that they read the address.
alter table email_links add column by_hand boolean not null default false;
