-- Functions carry the names that databases everywhere have for what they do. Triggers and views keep a function through its
-- new name.
alter function tell_changed() rename to notify_invalidate;
alter function tell_ended() rename to notify_session_ended;
alter function sum_stock() rename to apply_ledger;
alter function refuse_by_hand() rename to forbid_direct_write;
alter function note_change() rename to touch_changed_at;
alter function listed_in(timestamptz, integer) rename to time_bucket;
alter function listed_between() rename to catalogue_range;
alter function learn_words(text, bigint) rename to add_vocabulary;

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
  perform add_vocabulary(
    concat_ws(' ', new.name, new.category, new.description, u.username, u.first_name, u.last_name), new.seller_id
  ) from users u where u.id = new.seller_id;
  return null;
end $$;

-- The newest listings that match a query and the filters, newest first, at most so many; with before_at and before_id those
-- after that listing. It looks at one window of time after another, back from the newest: after each window it extrapolates
-- from the hits so far how far back the missing ones are, plus 50 %, and eight times as far after a window without a hit.
--   reach     seconds of the first window, where the caller knows how rare the words are
--   patience  milliseconds after which no further window is begun. The last row is null then: the search is not complete
-- Volatile: with a patience the clock decides how many rows there are.
create function search_newest(
  asked tsquery, most integer,
  least_cents integer, most_cents integer, only_in_stock boolean, least_rating integer,
  before_at timestamptz, before_id bigint,
  patience double precision default null, reach bigint default null
) returns table (created_at timestamptz, product_id bigint) language plpgsql volatile
  set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan
  as $$
declare
  began timestamptz := clock_timestamp();
  oldest bigint;
  -- Seconds since 1970 from which the next window goes back, and how many it goes back.
  newest bigint;
  span bigint := coalesce(reach, 1 << 10);
  bits integer;
  slot bigint;
  is_last boolean;
  since text;
  hits integer;
  missing integer := most;
begin
  select floor(extract(epoch from first)), floor(extract(epoch from coalesce(before_at, last)))
    into oldest, newest from catalogue_range();
  if oldest is null then
    return;
  end if;
  loop
    if extract(epoch from clock_timestamp() - began) * 1000 > patience then
      return query select null::timestamptz, null::bigint;
      return;
    end if;
    bits := 10;
    while bits < 25 and span >> bits >= 8 loop
      bits := bits + 3;
    end loop;
    slot := (newest - span) >> bits;
    is_last := slot <= oldest >> bits or span >> bits > 8;
    -- Nothing is listed in '0:0'.
    since := '!''0:0''';
    if not is_last then
      since := format('''%s:%s''', bits, slot);
      for later in slot + 1 .. newest >> bits loop
        since := since || format('|''%s:%s''', bits, later);
      end loop;
    end if;
    return query
      select c.created_at, c.product_id from catalogue as c
      where c.stems @@ asked and c.stems @@ since::tsquery
        and (least_cents is null or c.price_cents >= least_cents)
        and (most_cents is null or c.price_cents <= most_cents)
        and (not only_in_stock or c.in_stock)
        and (least_rating is null or c.rating >= least_rating)
        and (before_at is null or (c.created_at, c.product_id) < (before_at, before_id))
      order by c.created_at desc, c.product_id desc
      limit missing;
    get diagnostics hits = row_count;
    missing := missing - hits;
    exit when missing = 0 or is_last;
    before_at := to_timestamp(slot << bits);
    before_id := 0;
    span := (newest - (slot << bits))
      * case when hits = 0 then 8 else least(8, greatest(1, 3 * missing / (2 * hits))) end;
    newest := (slot << bits) - 1;
  end loop;
end $$;

-- Only for the version before this one, which calls it during a rolling upgrade, and for statements that are under way. The
-- next version may drop both.
create or replace function catalogue_newest(
  asked tsquery, most integer,
  least_cents integer, most_cents integer, only_in_stock boolean, least_rating integer,
  before_at timestamptz, before_id bigint,
  patience double precision default null, reach bigint default null
) returns bigint[] language sql volatile as $$
  select case when bool_or(found.product_id is null) is not true then coalesce(
    array_agg(
      array[(extract(epoch from found.created_at) * 1000000)::bigint, found.product_id]
      order by found.created_at desc, found.product_id desc
    ), '{}'
  ) end
  from search_newest(
    asked, most, least_cents, most_cents, only_in_stock, least_rating, before_at, before_id, patience, reach
  ) as found
$$;
create function learn_words(written text, seller bigint default null) returns void language sql as $$
  select add_vocabulary(written, seller)
$$;
