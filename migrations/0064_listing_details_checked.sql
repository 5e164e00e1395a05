alter table products
  validate constraint products_title_length,
  validate constraint products_story_length,
  validate constraint products_tags_length,
  validate constraint products_materials_length,
  validate constraint products_weight,
  validate constraint products_dimensions;
create index products_section on products (section_id) where section_id is not null;
