-- Each look of a search begins where the one before has ended, and goes as far back as it takes to find what is missing as
-- often as it was found so far, and half as far again; eight times as far where nothing was found. Whoever knows how far back these words
-- have to be looked for may say so, in seconds. Of each that is found it tells when it was listed, in microseconds since
-- 1970, and its id: what a cursor is made of.
drop function catalogue_newest(tsquery, integer, integer, integer, boolean, integer, timestamptz, bigint, double precision);

create function catalogue_newest(
  asked tsquery, most integer,
  least_cents integer, most_cents integer, only_in_stock boolean, least_rating integer,
  before_at timestamptz, before_id bigint,
  patience double precision default null, reach bigint default null
) returns bigint[] language plpgsql stable
  set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan
  as $$
declare
  began timestamptz := clock_timestamp();
  oldest bigint;
  -- Seconds since 1970 from which the next look goes back, and how many it goes back.
  newest bigint;
  span bigint := coalesce(reach, 1 << 10);
  bits integer;
  slot bigint;
  is_last boolean;
  since text;
  looked bigint[];
  found bigint[] := '{}';
  missing integer := most;
begin
  select floor(extract(epoch from first)), floor(extract(epoch from coalesce(before_at, last)))
    into oldest, newest from listed_between();
  if oldest is null then
    return found;
  end if;
  loop
    if extract(epoch from clock_timestamp() - began) * 1000 > patience then
      return null;
    end if;
    bits := 10;
    while bits < 25 and span >> bits >= 8 loop
      bits := bits + 3;
    end loop;
    slot := (newest - span) >> bits;
    is_last := slot <= oldest >> bits or span >> bits > 8;
    since := '!''0:0''';
    if not is_last then
      since := format('''%s:%s''', bits, slot);
      for later in slot + 1 .. newest >> bits loop
        since := since || format('|''%s:%s''', bits, later);
      end loop;
    end if;
    looked := array(
      select array[(extract(epoch from f.created_at) * 1000000)::bigint, f.product_id] from (
        select c.created_at, c.product_id from catalogue as c
        where c.stems @@ asked and c.stems @@ since::tsquery
          and (least_cents is null or c.price_cents >= least_cents)
          and (most_cents is null or c.price_cents <= most_cents)
          and (not only_in_stock or c.in_stock)
          and (least_rating is null or c.rating >= least_rating)
          and (before_at is null or (c.created_at, c.product_id) < (before_at, before_id))
        order by c.created_at desc, c.product_id desc
        limit missing
      ) as f
    );
    found := found || looked;
    missing := missing - cardinality(looked) / 2;
    exit when missing = 0 or is_last;
    before_at := to_timestamp(slot << bits);
    before_id := 0;
    span := (newest - (slot << bits))
      * case when cardinality(looked) = 0 then 8 else least(8, greatest(1, 3 * missing / cardinality(looked))) end;
    newest := (slot << bits) - 1;
  end loop;
  return found;
end $$;
