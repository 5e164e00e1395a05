-- Whether people may write to a maker without an order.
alter table shops add column takes_messages boolean not null default true;
