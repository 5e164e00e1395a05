-- In a migration of its own: it locks nothing that others read or write.
alter table products
  validate constraint products_safety_length,
  validate constraint products_manufacturer_length;
