-- For shop names, which cannot look like the username of somebody else.
create index users_username_shop_look on users (shop_name_look(username));
-- For the directory of makers.
create index shops_by_name on shops (lower(name) text_pattern_ops) where name <> '';
