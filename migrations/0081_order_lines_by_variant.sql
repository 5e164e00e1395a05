create index order_lines_variant on order_lines (variant_id) where variant_id is not null;
