-- For the first page of operators: the orders of the last day, and the open ones of all makers.
create index orders_created on orders using brin (created_at) with (autosummarize = on);
create index orders_open on orders (id) where is_open;
