-- Tables carry the names of what is in them: the installation (one row), the vocabulary of all listings, and the counters of
-- rate limits. The version before this one goes on with the old names during a rolling upgrade: they are views now, through
-- which it reads and writes as before (PostgreSQL updates such views by itself, `on conflict` included). The next version may
-- drop the three views.
alter table shop rename to installation;
alter index shop_pkey rename to installation_pkey;
alter index shop_is_one rename to installation_is_one;
create view shop as select id from installation;

alter table words rename to vocabulary;
alter index words_pkey rename to vocabulary_pkey;
alter index words_stem rename to vocabulary_stem;
alter index words_alike rename to vocabulary_alike;
alter index words_of_one rename to vocabulary_of_one;
create view words as select word, stem, said_by, mends from vocabulary;

alter table limits rename to rate_limits;
alter index limits_pkey rename to rate_limits_pkey;
create view limits as select subject, window_start, count from rate_limits;

-- What a seller says. A word mends mistyped ones as soon as a second seller says it, or at once while there are few that
-- only one does: whoever lists made-up words makes searches of others neither slower nor worse.
-- Sorted, so that two sellers who bring the same new words never wait for each other in a circle.
create or replace function add_vocabulary(written text, seller bigint default null) returns void language plpgsql as $$
declare
  said text[] := array(
    select distinct word from regexp_split_to_table(plain_words(written), ' ') as word
    where char_length(word) between 1 and 255 and cardinality(ts_lexize('english_stem', word)) > 0
  );
begin
  insert into vocabulary (word, stem, said_by, mends)
    select said_word, (ts_lexize('english_stem', said_word))[1], seller, seller is null or (
      select count(*) < 10000 from (select from vocabulary where mends and said_by is not null limit 10000) as of_one
    )
    from unnest(said) as said_word
    where not exists (select from vocabulary as known where known.word = said_word)
    order by said_word
  on conflict do nothing;
  update vocabulary set said_by = null, mends = true where word in (
    select word from vocabulary
    where word = any(said) and said_by is distinct from seller and (said_by is not null or not mends)
    order by word for update
  );
end $$;
