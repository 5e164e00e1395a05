-- Of a change of the address: the one until then. A letter there says what was asked, and one that it was done.
alter table email_links add column former_email text;
-- A used link stays for a week: it says so when it is opened again, and its letters know both addresses.
alter table email_links add column used_at timestamptz;
alter table email_links add constraint email_links_former check ((purpose = 'change') = (former_email is not null));
