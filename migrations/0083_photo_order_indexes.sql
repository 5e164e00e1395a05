drop index images_of_product, images_of_draft;
alter index images_of_product_in_order rename to images_of_product;
alter index images_of_draft_in_order rename to images_of_draft;
