-- Counts changes of words and colours: nobody replaces unseen what somebody else has saved.
alter table brand add column version integer not null default 1;
