alter table products validate constraint products_hidden_deleted;
