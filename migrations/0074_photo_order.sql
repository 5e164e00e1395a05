-- Photos have an order that their maker chooses, and an alt text. A photo without a chosen place comes last, the oldest
-- first: so do those that the version before this one adds. A constant default rewrites no row, and the next migration
-- validates the constraints, which lets others read meanwhile.
alter table images
  add column position smallint not null default 32767,
  add column alt text not null default '';
alter table images
  add constraint images_position_range check (position between 1 and 32767) not valid,
  add constraint images_alt_length check (char_length(alt) <= 500) not valid;
