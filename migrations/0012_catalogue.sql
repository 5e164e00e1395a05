-- What people search, filter and sort by, one narrow row for each listing that is not deleted. Triggers keep it in the
-- transaction of the change itself, so it cannot drift from what it is made of, whoever writes.
create extension if not exists unaccent;
create extension if not exists pg_trgm;

-- Words between single blanks: lower case, no accents, no ASCII punctuation. The same for listings and for queries.
create function plain_words(written text) returns text language sql stable parallel safe as $$
  select btrim(lower(regexp_replace(unaccent(written), '[\s!-/:-@\[-`{-~]+', ' ', 'g')))
$$;

create table catalogue (
  product_id bigint primary key references products,
  seller_id bigint not null,
  category text not null,
  price_cents integer not null,
  created_at timestamptz not null,
  in_stock boolean not null,
  -- Mean stars in tenths, as pages show them; 0 without reviews.
  rating smallint not null,
  reviews integer not null,
  -- Stems of the name; and of all that is said of the piece, its maker included. The second also holds its category
  -- as one word that nobody can type, so that words within a category are one look into one index.
  name_stems tsvector not null,
  stems tsvector not null
);

-- The words that occur, to complete what is typed and to mend what is mistyped. Compared byte by byte: a range of
-- words that begin alike is then a range of the index.
create table words (
  word text collate "C" primary key,
  stem text not null
);

create view catalogue_source as
  select p.id as product_id, p.seller_id, p.category, p.price_cents, p.created_at,
    coalesce(s.quantity, 0) > 0 as in_stock,
    coalesce(round(10.0 * r.stars / nullif(r.reviews, 0)), 0)::smallint as rating,
    coalesce(r.reviews, 0) as reviews,
    to_tsvector('pg_catalog.english', plain_words(p.name)) as name_stems,
    to_tsvector('pg_catalog.english', plain_words(concat_ws(' ', p.name, p.category, p.description, u.username, u.first_name, u.last_name)))
      || array_to_tsvector(array['in:' || p.category]) as stems
  from products p
  join users u on u.id = p.seller_id
  left join stock s on s.product_id = p.id
  left join ratings r on r.product_id = p.id
  where p.deleted_at is null;

insert into catalogue select * from catalogue_source;

-- Sorted, so that two sellers who bring the same new words never wait for each other in a circle.
create function learn_words(written text) returns void language sql as $$
  insert into words (word, stem)
    select distinct word, (ts_lexize('english_stem', word))[1]
    from regexp_split_to_table(plain_words(written), ' ') as word
    where char_length(word) between 1 and 255 and cardinality(ts_lexize('english_stem', word)) > 0
    order by word
  on conflict do nothing
$$;

select learn_words(string_agg(concat_ws(' ', p.name, p.category, p.description, u.username, u.first_name, u.last_name), ' '))
  from products p join users u on u.id = p.seller_id where p.deleted_at is null;

create index catalogue_newest on catalogue (created_at desc, product_id desc);
create index catalogue_by_price on catalogue (price_cents, product_id);
create index catalogue_by_rating on catalogue (rating desc, reviews desc, product_id desc);
create index catalogue_in_category on catalogue (category, created_at desc, product_id desc);
create index catalogue_of_seller on catalogue (seller_id, created_at desc, product_id desc);
-- Without a pending list: every search would have to read it.
create index catalogue_name_stems on catalogue using gin (name_stems) with (fastupdate = off);
create index catalogue_stems on catalogue using gin (stems) with (fastupdate = off);
create index words_stem on words (stem);
create index words_alike on words using gist (word gist_trgm_ops);

-- Listings of which this is said, at most so many and in no order. How rare words are is what decides how a list is
-- best read, and what the planner guesses worst; so this looks, always by the index, and stops when it has enough.
create function catalogue_hits(query tsquery, most integer) returns bigint[] language sql stable
  set enable_seqscan = off set enable_indexscan = off
  as $$ select array(select product_id from catalogue where stems @@ query limit most) $$;
create function catalogue_named(query tsquery, most integer) returns bigint[] language sql stable
  set enable_seqscan = off set enable_indexscan = off
  as $$ select array(select product_id from catalogue where name_stems @@ query limit most) $$;

-- Makers are suggested by the beginning of any of their names.
create index users_by_username on users (lower(username) text_pattern_ops);
create index users_by_first_name on users (lower(first_name) text_pattern_ops);
create index users_by_last_name on users (lower(last_name) text_pattern_ops);

create function catalogue_product() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then
    delete from catalogue where product_id = new.id;
    return null;
  end if;
  -- Stock and rating of a row that is there are left alone: a sale or a review may be under way.
  insert into catalogue select * from catalogue_source where product_id = new.id
  on conflict (product_id) do update set
    seller_id = excluded.seller_id, category = excluded.category, price_cents = excluded.price_cents,
    created_at = excluded.created_at, name_stems = excluded.name_stems, stems = excluded.stems;
  perform learn_words(concat_ws(' ', new.name, new.category, new.description, u.username, u.first_name, u.last_name))
    from users u where u.id = new.seller_id;
  return null;
end $$;

create trigger products_catalogued
  after insert or update of seller_id, name, category, description, price_cents, created_at, deleted_at on products
  for each row execute function catalogue_product();

-- A sale touches the catalogue only where it takes the last piece.
create function catalogue_stock() returns trigger language plpgsql as $$
begin
  update catalogue set in_stock = new.quantity > 0 where product_id = new.product_id;
  return null;
end $$;

create trigger stock_first_catalogued after insert on stock
  for each row when (new.quantity > 0) execute function catalogue_stock();
create trigger stock_catalogued after update of quantity on stock
  for each row when ((old.quantity = 0) <> (new.quantity = 0)) execute function catalogue_stock();

create function catalogue_rating() returns trigger language plpgsql as $$
begin
  update catalogue set reviews = new.reviews,
    rating = coalesce(round(10.0 * new.stars / nullif(new.reviews, 0)), 0)
  where product_id = new.product_id;
  return null;
end $$;

create trigger ratings_catalogued after insert or update on ratings
  for each row execute function catalogue_rating();

-- Lists are read through the catalogue now.
drop index products_newest;
drop index products_in_category;
drop index products_of_seller;
