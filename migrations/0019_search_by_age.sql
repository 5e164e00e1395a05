-- A search reads the newest listings first and stops when it has enough, so that common words cost the same in a shop
-- of a million listings as in one of a thousand. One vector says all of a listing that is searched for:
--   walnut     a stem of its name, category or description, or of its maker's names
--   n:walnut   a stem of its name
--   in:Toys    its category
--   by:7       its maker
--   10:1734    the slot of 2^10 seconds since 1970 in which it was listed; so for 13, 16, 19, 22 and 25
-- Nobody can type the marked ones, because what is typed loses its punctuation.
drop function catalogue_hits(tsquery, integer);
drop function catalogue_named(tsquery, integer);
drop view catalogue_source;
drop index catalogue_stems;
alter table catalogue drop column name_stems;

-- Words as the text search's own parser finds them, and as queries are split: the parser takes 5e84b3 for a number and a
-- word. A word too long for the index is none that anybody searches for.
create function plain_stems(written text) returns tsvector language sql stable parallel safe as $$
  select strip(to_tsvector('pg_catalog.english', plain_words(written))) || array_to_tsvector(array(
    select distinct stem
    from regexp_split_to_table(plain_words(written), ' ') as word, unnest(ts_lexize('english_stem', word)) as stem
    where char_length(word) between 1 and 255
  ))
$$;

-- The stems of a name, each marked as one.
create function name_stems(name text) returns text[] language sql stable parallel safe as $$
  select array(select 'n:' || stem from unnest(tsvector_to_array(plain_stems(name))) as stem)
$$;

create function listed_in(at timestamptz, bits integer) returns bigint language sql immutable parallel safe as $$
  select floor(extract(epoch from at) / (1 << bits))::bigint
$$;

create view catalogue_source as
  select p.id as product_id, p.seller_id, p.category, p.price_cents, p.created_at,
    coalesce(s.quantity, 0) > 0 as in_stock,
    coalesce(round(10.0 * r.stars / nullif(r.reviews, 0)), 0)::smallint as rating,
    coalesce(r.reviews, 0) as reviews,
    plain_stems(concat_ws(' ', p.name, p.category, p.description, u.username, u.first_name, u.last_name))
      || array_to_tsvector(
        array['in:' || p.category, 'by:' || p.seller_id]
        || array(select bits || ':' || listed_in(p.created_at, bits) from unnest(array[10, 13, 16, 19, 22, 25]) as bits)
        || name_stems(p.name)
      ) as stems
  from products p
  join users u on u.id = p.seller_id
  left join stock s on s.product_id = p.id
  left join ratings r on r.product_id = p.id
  where p.deleted_at is null;

update catalogue set stems = source.stems from catalogue_source as source
  where source.product_id = catalogue.product_id;
create index catalogue_stems on catalogue using gin (stems) with (fastupdate = off);

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
  perform learn_words(concat_ws(' ', new.name, new.category, new.description, u.username, u.first_name, u.last_name))
    from users u where u.id = new.seller_id;
  return null;
end $$;

create function listed_between(out first timestamptz, out last timestamptz) language sql stable
  set enable_indexscan = on
  as $$ select min(created_at), max(created_at) from catalogue $$;

-- The newest listings of which this is said, the newest first, at most so many; further ones come after the listing
-- (before_at, before_id). Looks at the last half hour up to the newest of them, then eight times as far back and so on,
-- and at everything where those have too few or are everything: of nothing it is said that it was listed in '0:0'.
-- The planner, which guesses worst how rare words are, has no say: it is always the index of words, and what it finds
-- is sorted.
create function catalogue_newest(
  asked tsquery, most integer,
  least_cents integer, most_cents integer, only_in_stock boolean, least_rating integer,
  before_at timestamptz, before_id bigint
) returns bigint[] language plpgsql stable
  set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan
  as $$
declare
  oldest timestamptz;
  newest timestamptz;
  bits integer;
  slot bigint;
  since tsquery;
  found bigint[];
begin
  select first, coalesce(before_at, last) into oldest, newest from listed_between();
  foreach bits in array array[10, 13, 16, 19, 22, 25, 0] loop
    slot := listed_in(newest, bits);
    since := case
      when bits = 0 or slot - 1 <= listed_in(oldest, bits) then '!''0:0'''
      else format('''%s:%s''|''%s:%s''', bits, slot, bits, slot - 1)::tsquery
    end;
    found := array(
      select c.product_id from catalogue as c
      where c.stems @@ asked and c.stems @@ since
        and (least_cents is null or c.price_cents >= least_cents)
        and (most_cents is null or c.price_cents <= most_cents)
        and (not only_in_stock or c.in_stock)
        and (least_rating is null or c.rating >= least_rating)
        and (before_at is null or (c.created_at, c.product_id) < (before_at, before_id))
      order by c.created_at desc, c.product_id desc
      limit most
    );
    exit when cardinality(found) >= most or since = '!''0:0''';
  end loop;
  return found;
end $$;
