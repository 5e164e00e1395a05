alter table products validate constraint products_retired_deleted;
