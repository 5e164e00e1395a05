-- An account that is deleted leaves a row without a name: its orders and listings, which the books need, belong to that row.
alter table users add column erased_at timestamptz;

-- A username that somebody gave up: until held_until it leads to them, and nobody else can have it. Of a deleted account only
-- the hashes stay, which hold the name and lead nowhere.
create table former_usernames (
  id bigint primary key default nextval('ids'),
  user_id bigint references users,
  username text,
  -- SHA-256 of the name in lower case, and of its skeleton: what looks like it is held too.
  name_hash bytea not null,
  skeleton_hash bytea not null,
  left_at timestamptz not null default now(),
  held_until timestamptz not null,
  constraint former_usernames_of_somebody check ((user_id is null) = (username is null))
);
create unique index former_usernames_name on former_usernames (lower(username));
create index former_usernames_user on former_usernames (user_id, left_at);
create index former_usernames_name_hash on former_usernames (name_hash);
create index former_usernames_skeleton on former_usernames (skeleton_hash);
create index former_usernames_held on former_usernames (held_until);

-- The skeleton follows the username.
create trigger users_skeleton_again before update of username on users
  for each row when (old.username is distinct from new.username)
  execute function set_username_skeleton();

create function is_held(wanted text, wanted_skeleton text, person bigint) returns boolean language sql stable as $$
  select exists (
    select from former_usernames
    where (
      name_hash = sha256(convert_to(lower(wanted), 'UTF8'))
      or skeleton_hash = sha256(convert_to(wanted_skeleton, 'UTF8'))
    ) and user_id is distinct from person and held_until > now()
  )
$$;

-- After the row: the unique index has waited for whoever is giving the name up, and this sees what they wrote.
create function refuse_held_username() returns trigger language plpgsql as $$
begin
  if is_held(new.username, new.username_skeleton, new.id) then
    raise unique_violation using message = 'this username is held for somebody else', constraint = 'former_usernames_held';
  end if;
  return null;
end $$;
create trigger users_username_held after insert on users
  for each row execute function refuse_held_username();
create trigger users_username_held_again after update of username on users
  for each row when (old.username is distinct from new.username)
  execute function refuse_held_username();

-- Listings are found by the names of their seller, which may change now. Writes the next rows of a seller in the catalogue
-- again: a statement for thousands of them would take longer than it may.
create function recatalogue_seller(person bigint, after bigint, most integer) returns bigint language plpgsql as $$
declare
  -- A change of a listing writes the names that it read: one waits for the other.
  ids bigint[] := array(
    select id from products where seller_id = person and deleted_at is null and id > after
    order by id limit most for share
  );
begin
  update catalogue set stems = source.stems from catalogue_source as source
    where catalogue.product_id = any(ids) and source.product_id = catalogue.product_id;
  return ids[cardinality(ids)];
end $$;

create trigger users_changed after delete or update of username, first_name, last_name on users
  for each statement execute function notify_invalidate();
