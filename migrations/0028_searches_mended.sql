-- Which words a mistyped one may be mended to, found by an index whose cost does not grow with the vocabulary; and an order
-- of ratings in which many reviews count more than one.

-- The only seller who says a word; null where several do, or it is not known.
alter table words add said_by bigint;
alter table words add mends boolean not null default true;

-- In a large vocabulary a word mends others only where several listings say it. A small one mends with all it has.
update words set mends = false
where (select count(*) from words) > 50000
  and stem not in (select word from ts_stat('select stems from catalogue') where ndoc > 1);

drop index words_alike;
create index words_alike on words using gin (word gin_trgm_ops) with (fastupdate = off) where mends;
create index words_of_one on words (word) where mends and said_by is not null;

drop function learn_words(text);
-- What a seller says. A word mends mistyped ones as soon as a second seller says it, or at once while there are few that
-- only one does: whoever lists made-up words makes searches of others neither slower nor worse.
-- Sorted, so that two sellers who bring the same words never wait for each other in a circle.
create function learn_words(written text, seller bigint default null) returns void language plpgsql as $$
declare
  said text[] := array(
    select distinct word from regexp_split_to_table(plain_words(written), ' ') as word
    where char_length(word) between 1 and 255 and cardinality(ts_lexize('english_stem', word)) > 0
  );
begin
  insert into words (word, stem, said_by, mends)
    select said_word, (ts_lexize('english_stem', said_word))[1], seller, seller is null or (
      select count(*) < 10000 from (select from words where mends and said_by is not null limit 10000) as of_one
    )
    from unnest(said) as said_word
    where not exists (select from words as known where known.word = said_word)
    order by said_word
  on conflict do nothing;
  update words set said_by = null, mends = true where word in (
    select word from words
    where word = any(said) and said_by is distinct from seller and (said_by is not null or not mends)
    order by word for update
  );
end $$;

create or replace function catalogue_product() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then
    delete from catalogue where product_id = new.id;
    return null;
  end if;
  -- Stock and rating of a row that is there are left alone: a sale or a review may be under way.
  insert into catalogue select * from catalogue_source where product_id = new.id
  on conflict (product_id) do update set
    seller_id = excluded.seller_id, category = excluded.category, price_cents = excluded.price_cents,
    created_at = excluded.created_at, stems = excluded.stems;
  perform learn_words(
    concat_ws(' ', new.name, new.category, new.description, u.username, u.first_name, u.last_name), new.seller_id
  ) from users u where u.id = new.seller_id;
  return null;
end $$;

-- The mean that a piece would have with five more reviews, one of each number of stars, in thousandths; 0 without reviews.
create function weighted_rating(rating smallint, reviews integer) returns integer language sql immutable parallel safe as $$
  select case when reviews = 0 then 0 else ((15000 + 100::bigint * rating * reviews) / (5 + reviews))::integer end
$$;

drop index catalogue_by_rating;
create index catalogue_by_rating on catalogue (weighted_rating(rating, reviews) desc, reviews desc, product_id desc);
