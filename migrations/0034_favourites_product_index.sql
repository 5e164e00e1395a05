create index favourites_product on favourites (product_id);
