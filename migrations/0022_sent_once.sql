-- What came with which sending of a form: whoever sends it again, because no answer came or a press was counted twice,
-- means the same pieces and the same listing.
alter table stock_ledger add column sent_as text;
create index stock_ledger_sent_as on stock_ledger (product_id, sent_as) where sent_as is not null;

alter table products add column added_as text;
create unique index products_added_as on products (seller_id, added_as);
