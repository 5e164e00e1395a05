-- The looks (`shop_name_look`) of the shop names of a deleted account, as hashes: nobody else can have them, or a username of
-- that look, until held_until.
create table former_shop_names (
  look_hash bytea primary key,
  held_until timestamptz not null
);
create index former_shop_names_held on former_shop_names (held_until);

create or replace function is_held(wanted text, wanted_skeleton text, person bigint) returns boolean language sql stable as $$
  select exists (
    select from former_usernames
    where (
      name_hash = sha256(convert_to(lower(wanted), 'UTF8'))
      or skeleton_hash = sha256(convert_to(wanted_skeleton, 'UTF8'))
    ) and user_id is distinct from person and held_until > now()
  ) or exists (
    select from shop_names where look = shop_name_look(wanted) and user_id is distinct from person
  ) or exists (
    select from former_shop_names
    where look_hash = sha256(convert_to(shop_name_look(wanted), 'UTF8')) and held_until > now()
  )
$$;
