-- The name of a maker's shop, and whether cards say the maker's own name. 'Wren & Daughter', '' if there is none.
alter table shops
  add column name text not null default '' constraint shops_name_length check (name = '' or char_length(name) between 3 and 40),
  add column shows_name boolean not null default false;

-- What a shop name looks like, for names and for their addresses: two names of one look are hard to tell apart (Unicode
-- Technical Standard 39, section 4). Neither case, accents, spaces nor signs count. The first `skeleton` is of capitals, where
-- 'i', 'l' and '1' are alike; the second one of small letters.
-- Its body is bound here, because an index of it is built without a search path.
create function shop_name_look(name text) returns text language sql immutable strict parallel safe
  return regexp_replace(
    skeleton(skeleton(regexp_replace(upper(replace(normalize(name, NFKC), 'ß', 'ss')), '[^[:alnum:]]', '', 'g'))),
    '[^[:alnum:]]', '', 'g');

-- Every name that a shop has or had: its look belongs to its maker for good, and its address leads to them.
create table shop_names (
  look text primary key constraint shop_names_look_filled check (look <> ''),
  user_id bigint not null references users on delete cascade,
  chosen_at timestamptz not null default now()
);
create index shop_names_user on shop_names (user_id, chosen_at);

-- A username cannot be the shop name of somebody else.
create or replace function is_held(wanted text, wanted_skeleton text, person bigint) returns boolean language sql stable as $$
  select exists (
    select from former_usernames
    where (
      name_hash = sha256(convert_to(lower(wanted), 'UTF8'))
      or skeleton_hash = sha256(convert_to(wanted_skeleton, 'UTF8'))
    ) and user_id is distinct from person and held_until > now()
  ) or exists (
    select from shop_names where look = shop_name_look(wanted) and user_id is distinct from person
  )
$$;

-- Waits for a shop name of this look that is being chosen; who chooses one waits for this.
create function lock_name_look(look text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended(look, 92))
$$;

create or replace function refuse_held_username() returns trigger language plpgsql as $$
begin
  perform lock_name_look(shop_name_look(new.username));
  if is_held(new.username, new.username_skeleton, new.id) then
    raise unique_violation using message = 'this username is held for somebody else', constraint = 'former_usernames_held';
  end if;
  return null;
end $$;

-- Pieces are found by the name of the shop.
create or replace function searched_text(listing products, seller users) returns text language sql stable parallel safe as $$
  select concat_ws(' ', listing.name, listing.title, listing.category, listing.description,
    array_to_string(listing.tags, ' '), array_to_string(listing.materials, ' '),
    (
      select string_agg(option, ' ')
      from jsonb_array_elements(listing.variations) as variation,
        jsonb_array_elements_text(variation -> 'options') as option
    ),
    seller.username, seller.first_name, seller.last_name,
    (select nullif(s.name, '') from shops as s where s.user_id = seller.id))
$$;
