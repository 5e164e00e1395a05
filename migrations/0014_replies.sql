-- What the maker of a piece answers to a review of it, for everybody to read.
alter table reviews
  add column reply text constraint reviews_reply_length check (char_length(reply) between 1 and 300),
  add column replied_at timestamptz,
  add constraint reviews_reply_dated check ((reply is null) = (replied_at is null));

-- Reviews of a listing by their stars, and how many gave each.
create index reviews_by_stars on reviews (product_id, stars, created_at desc, id desc);
