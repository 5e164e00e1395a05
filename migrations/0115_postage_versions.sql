-- The version of a postage profile with its rows: a form that was opened before a later change replaces nothing unseen.
alter table postage_profiles add column version integer not null default 1;
