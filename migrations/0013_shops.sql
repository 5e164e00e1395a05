-- A picture may stand for a person as well as for a listing.
alter table images alter column product_id drop not null;

-- What makers say of themselves. A row comes into being with the first thing they say.
create table shops (
  user_id bigint primary key references users on delete cascade,
  words text not null default '' constraint shops_words_length check (char_length(words) <= 500),
  place text not null default '' constraint shops_place_length check (char_length(place) <= 80),
  image_id bigint constraint shops_one_picture unique references images on delete set null
);

create trigger shops_changed after insert or update or delete on shops
  for each statement execute function tell_changed();
