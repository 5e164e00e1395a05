-- An index for each foreign key that had none (0031 to 0034): without it, deleting the row that is referred to, and every
-- look from that side, reads the whole table. Each is a migration of its own, so that only one table at a time is locked
-- against writing while its index is built.
create index cart_lines_product on cart_lines (product_id);
