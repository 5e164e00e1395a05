-- One row: what tells the shop of this database from every other. Its photos lie in a folder of that name.
create table shop (id uuid primary key default gen_random_uuid());
create unique index shop_is_one on shop ((true));
insert into shop default values;
