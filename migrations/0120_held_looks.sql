-- A former username is held against shop names of its look, as a present one is. Of a deleted account only hashes are stored: its
-- look is known from now on.
alter table former_usernames add column look_hash bytea;
update former_usernames set look_hash = sha256(convert_to(shop_name_look(username), 'UTF8')) where username is not null;
create index former_usernames_look on former_usernames (look_hash);
