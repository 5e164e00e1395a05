-- The version of the shop's settings: a form that was opened before a later change replaces nothing unseen.
alter table site_settings add column version integer not null default 1;
