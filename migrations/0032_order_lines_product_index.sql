create index order_lines_product on order_lines (product_id);
