create index cart_lines_variant on cart_lines (variant_id) where variant_id is not null;
