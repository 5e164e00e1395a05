-- Many searches are asked in one statement, where whoever is quick must not wait for whoever is not. So a search may be
-- given a patience, in milliseconds: once it has taken that long and would have to look further back, it gives up, and
-- answers null. Each look goes eight times as far back as the one before, so it ends not long after that.
drop function catalogue_newest(tsquery, integer, integer, integer, boolean, integer, timestamptz, bigint);

create function catalogue_newest(
  asked tsquery, most integer,
  least_cents integer, most_cents integer, only_in_stock boolean, least_rating integer,
  before_at timestamptz, before_id bigint, patience double precision default null
) returns bigint[] language plpgsql stable
  set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan
  as $$
declare
  began timestamptz := clock_timestamp();
  oldest timestamptz;
  newest timestamptz;
  bits integer;
  slot bigint;
  since tsquery;
  found bigint[];
begin
  select first, coalesce(before_at, last) into oldest, newest from listed_between();
  foreach bits in array array[10, 13, 16, 19, 22, 25, 0] loop
    if extract(epoch from clock_timestamp() - began) * 1000 > patience then
      return null;
    end if;
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
