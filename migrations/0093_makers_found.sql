-- For shop names, which cannot look like the username of somebody else.
create index users_username_shop_look on users (shop_name_look(username));
-- For the directory of makers.
create index shops_name_words on shops using gin (to_tsvector('simple', name)) where name <> '';
create index shops_place_words on shops using gin (to_tsvector('simple', place)) where place <> '';
-- The makers of a craft, one after the other.
create index catalogue_makers_of_category on catalogue (category, seller_id);
