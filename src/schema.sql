-- Generated from the migrated database by `npm run types`; do not edit.

CREATE OR REPLACE FUNCTION public.add_default_postage()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  with added as (
    insert into postage_profiles (seller_id, name, is_default)
    select distinct seller_id, 'Pick-up or by arrangement', true from written
    where not exists (select from postage_profiles as p where p.seller_id = written.seller_id and p.is_default)
    on conflict do nothing
    returning id
  )
  insert into pickup_places (profile_id, place) select id, 'Pick-up or by arrangement' from added;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.add_vocabulary(written text, seller bigint DEFAULT NULL::bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.adopt_cancellation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  event bigint;
begin
  insert into order_events (order_id, kind, role) values (new.id, 'cancelled', 'shopper') returning id into event;
  insert into order_event_units (event_id, order_id, product_id, line, units)
    select event, order_id, product_id, line, quantity from order_lines where order_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.adopt_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform split_order(new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.apply_ledger()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  listings integer;
  changed integer;
begin
  select count(distinct product_id) into listings from written;
  if listings = 0 then
    return null;
  end if;
  -- The previous release does not know combinations: it must not sell one as the listing.
  if exists (
    select from written join products as p on p.id = written.product_id
    where written.reason = 'sale' and written.variant_id is null and p.variations <> '[]'
  ) then
    raise integrity_constraint_violation using message = 'a listing with variations is sold by its combinations';
  end if;
  insert into stock (product_id, quantity) select product_id, 0 from written where reason = 'opening';
  update stock set quantity = quantity + line.units
    from (select product_id, sum(units) as units from written group by product_id) as line
    where stock.product_id = line.product_id;
  get diagnostics changed = row_count;
  if changed < listings then
    raise foreign_key_violation using message = 'a listing has its opening in stock_ledger before anything else';
  end if;
  update variants set quantity = quantity + line.units
    from (select variant_id, sum(units) as units from written where variant_id is not null group by variant_id) as line
    where variants.id = line.variant_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.apply_order_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update order_lines as l
    set sent = l.sent + line.sent, cancelled = l.cancelled + line.cancelled
    from (
      select w.order_id, w.product_id, w.line,
        coalesce(sum(w.units) filter (where e.kind in ('sent', 'collected')), 0)
          - coalesce(sum(w.units) filter (where e.kind = 'undone'), 0) as sent,
        coalesce(sum(w.units) filter (where e.kind = 'cancelled'), 0) as cancelled
      from written as w join order_events as e on e.id = w.event_id
      group by w.order_id, w.product_id, w.line
    ) as line
    where l.order_id = line.order_id and l.product_id = line.product_id and l.line = line.line;
  update orders as o
    set is_open = sums.open > 0,
      status = case
        when sums.cancelled = sums.quantity then 'Cancelled'
        when sums.open = 0 then 'Sent'
        when sums.sent > 0 then 'Part sent'
        when sums.cancelled > 0 then 'Part cancelled'
        else 'Pending'
      end,
      cancelled_at = case when sums.cancelled = sums.quantity then coalesce(o.cancelled_at, now()) end,
      cancelled_cents = sums.cancelled_cents + case when sums.cancelled = sums.quantity then o.postage_cents else 0 end
    from (
      select order_id, sum(quantity) as quantity, sum(sent) as sent, sum(cancelled) as cancelled,
        sum(quantity - sent - cancelled) as open, sum(price_cents::bigint * cancelled) as cancelled_cents
      from order_lines where order_id in (select order_id from written) group by order_id
    ) as sums
    where o.id = sums.order_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.apply_order_payment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update orders as o
    set paid_cents = o.paid_cents + sums.paid, refunded_cents = o.refunded_cents + sums.refunded
    from (
      select w.order_id,
        coalesce(sum(w.cents) filter (where w.kind = 'paid'), 0)
          - coalesce(sum(was.cents) filter (where w.kind = 'undone' and was.kind = 'paid'), 0) as paid,
        coalesce(sum(w.cents) filter (where w.kind = 'refunded'), 0)
          - coalesce(sum(was.cents) filter (where w.kind = 'undone' and was.kind = 'refunded'), 0) as refunded
      from written as w left join order_events as was on was.id = w.about
      where w.kind in ('paid', 'refunded', 'undone') group by w.order_id
    ) as sums
    where o.id = sums.order_id and (sums.paid <> 0 or sums.refunded <> 0);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.catalogue_product()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
  perform add_vocabulary(searched_text(new, u), new.seller_id) from users u where u.id = new.seller_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.catalogue_range(OUT first timestamp with time zone, OUT last timestamp with time zone)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET enable_indexscan TO 'on'
AS $function$ select min(created_at), max(created_at) from catalogue $function$;

CREATE OR REPLACE FUNCTION public.catalogue_rating()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update catalogue set reviews = new.reviews,
    rating = coalesce(round(10.0 * new.stars / nullif(new.reviews, 0)), 0)
  where product_id = new.product_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.catalogue_stock()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update catalogue set in_stock = new.quantity > 0 where product_id = new.product_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.forbid_direct_write()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise insufficient_privilege using message = tg_argv[0];
end $function$;

CREATE OR REPLACE FUNCTION public.forbid_other_people()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.operator_id is not null and new.operator_id is distinct from old.operator_id)
    or (new.person_id is not null and new.person_id is distinct from old.person_id)
    or exists (select from users where id = old.operator_id and new.operator_id is null)
    or exists (select from users where id = old.person_id and new.person_id is null)
  then
    raise exception 'what stands in operator_log is never rewritten';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_answers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update order_lines set answers = '[]' where order_id = new.id and answers <> '[]';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from cart_choices where user_id = old.id or seller_id = old.id;
  delete from addresses where user_id = old.id;
  delete from postage_profiles where seller_id = old.id;
  update orders as o
    set seller_id = (
      select p.seller_id from order_lines as l join products as p on p.id = l.product_id where l.order_id = o.id limit 1
    )
    where seller_id = old.id;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION public.is_held(wanted text, wanted_skeleton text, person bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.lock_name_look(look text)
 RETURNS void
 LANGUAGE sql
AS $function$
  select pg_advisory_xact_lock(hashtextextended(look, 92))
$function$;

CREATE OR REPLACE FUNCTION public.name_stems(name text)
 RETURNS text[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select array(select 'n:' || stem from unnest(tsvector_to_array(plain_stems(name))) as stem)
$function$;

CREATE OR REPLACE FUNCTION public.notify_invalidate()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('shop.publishes', true) = 'on' then
    raise notice using message = 'changed', errcode = 'TH001';
  else
    perform pg_notify('changed', '');
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.plain_stems(written text)
 RETURNS tsvector
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select strip(to_tsvector('pg_catalog.english', plain_words(written))) || array_to_tsvector(array(
    select distinct stem
    from regexp_split_to_table(plain_words(written), ' ') as word, unnest(ts_lexize('english_stem', word)) as stem
    where char_length(word) between 1 and 255
  ))
$function$;

CREATE OR REPLACE FUNCTION public.plain_words(written text)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select btrim(lower(regexp_replace(unaccent(written), '[\s!-/:-@\[-`{-~]+', ' ', 'g')))
$function$;

CREATE OR REPLACE FUNCTION public.recatalogue_seller(person bigint, after bigint, most integer)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_held_username()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform lock_name_look(shop_name_look(new.username));
  if is_held(new.username, new.username_skeleton, new.id) then
    raise unique_violation using message = 'this username is held for somebody else', constraint = 'former_usernames_held';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.remember_ended()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into ended_sessions (token_hash) select token_hash from gone on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.search_newest(asked tsquery, most integer, least_cents integer, most_cents integer, only_in_stock boolean, least_rating integer, before_at timestamp with time zone, before_id bigint, patience double precision DEFAULT NULL::double precision, reach bigint DEFAULT NULL::bigint)
 RETURNS TABLE(created_at timestamp with time zone, product_id bigint)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.searched_names(seller users)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select concat_ws(' ', seller.username, (
    select concat_ws(' ', nullif(s.name, ''), case when s.shows_name then seller.first_name || ' ' || seller.last_name end)
    from shops as s where s.user_id = seller.id
  ))
$function$;

CREATE OR REPLACE FUNCTION public.searched_text(listing products, seller users)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select concat_ws(' ', listing.name, listing.title, listing.category, listing.description,
    array_to_string(listing.tags, ' '), array_to_string(listing.materials, ' '),
    (
      select string_agg(option, ' ')
      from jsonb_array_elements(listing.variations) as variation,
        jsonb_array_elements_text(variation -> 'options') as option
    ),
    searched_names(seller))
$function$;

CREATE OR REPLACE FUNCTION public.separate_words(written text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select to_tsvector('pg_catalog.simple', translate(written, './@:_~&=?%<>#+-', '               '))
$function$;

CREATE OR REPLACE FUNCTION public.set_username_skeleton()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.username_skeleton := skeleton(new.username);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.shop_name_look(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN regexp_replace(skeleton(skeleton(regexp_replace(upper(replace(NORMALIZE(name, NFKC), 'ß'::text, 'ss'::text)), '[^[:alnum:]]'::text, ''::text, 'g'::text))), '[^[:alnum:]]'::text, ''::text, 'g'::text);

CREATE OR REPLACE FUNCTION public.skeleton(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select replace(lower(translate(regexp_replace(regexp_replace(normalize(name, NFKD),
    -- What is not seen (Default_Ignorable_Code_Point), and the blank of Braille.
    '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\uFE00-\uFE0F\uFEFF\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]',
    '', 'g'), '\s+', ' ', 'g'), looks, likes)), 'rn', 'm')
  from (
    select string_agg(looks, '') as looks, string_agg(repeat(sign, char_length(looks)), '') as likes
    from (values
      ('''', U&'`\055d\2018\2019\201b\2032\2035\055a\05f3\02b9\02c8\02ca\02cb\02f4\02bb\02bd\02bc\02be\a78c\05d9\07f4\07f5'
        || U&'\144a\16cc'),
      ('-', U&'\2010\2012\2013\06d4\2043\02d7\2212\2796\2cba'),
      ('.', U&'\0701\0702\a60e\+010a50\0660\06f0\a4f8'),
      ('2', U&'\a75a\01a7\03e8\a644\14bf\a6ef'),
      ('3', U&'\+01d206\a7ab\021c\01b7\a76a\2ccc\0417\04e0\+016f3b\+0118ca'),
      ('4', U&'\13ce\+0118af'),
      ('5', U&'\01bc\+0118bb'),
      ('6', U&'\2cd2\0431\13ee\+0118d5'),
      ('7', U&'\+01d212\+0104d2\+0118c6'),
      ('8', U&'\09ea\0a6a\+01e8cb\0223\0222\+01031a'),
      ('9', U&'\0a67\0b68\09ed\0d6d\a76e\2cca\+0118cc\+0118ac\+0118d6'),
      ('A', U&'\0391\0410\13aa\15c5\a4ee\+016f40\+0102a0'),
      ('B', U&'\a7b4\0392\0412\13f4\15f7\a4d0\+010282\+0102a1\+010301'),
      ('C', U&'\+01f74c\+0118f2\+0118e9\2ca4\0421\13df\a4da\+0102a2\+010302\+010415\+01051c'),
      ('D', U&'\13a0\15de\15ea\a4d3'),
      ('E', U&'\22ff\0395\0415\2d39\13ac\a4f0\+0118a6\+0118ae\+010286'),
      ('F', U&'\+01d213\a798\03dc\15b4\a4dd\+0118c2\+0118a2\+010287\+0102a5\+010525'),
      ('G', U&'\050c\13c0\13f3\a4d6'),
      ('H', U&'\0397\2c8e\041d\13bb\157c\a4e7\+0102cf'),
      ('J', U&'\a7b2\037f\0408\13ab\148d\a4d9'),
      ('K', U&'\039a\2c94\041a\13e6\16d5\a4d7\+010518'),
      ('L', U&'\+01d22a\2cd0\13de\14aa\a4e1\+016f16\+0118a3\+0118b2\+01041b\+010526'),
      ('M', U&'\039c\03fa\2c98\041c\13b7\15f0\16d6\a4df\+0102b0\+010311'),
      ('N', U&'\039d\2c9a\a4e0\+010513'),
      ('O', U&'0\07c0\09e6\0b66\+0114d0\+0118e0\039f\2c9e\041e\0555\2d54\12d0\0b20\+0104c2\a4f3\+0118b5\+010292\+0102ab'
        || U&'\+010404\+010516'),
      ('P', U&'\03a1\2ca2\0420\13e2\146d\a4d1\+010295'),
      ('Q', U&'\2d55'),
      ('R', U&'\+01d216\01a6\13a1\13d2\+0104b4\1587\a4e3\+016f35'),
      ('S', U&'\0405\054f\13d5\13da\a4e2\+016f3a\+010296\+010420'),
      ('T', U&'\22a4\27d9\+01f768\03a4\2ca6\0422\13a2\a4d4\+016f0a\+0118bc\+010297\+0102b1\+010315'),
      ('U', U&'\222a\22c3\054d\1200\+0104ce\144c\a4f4\+016f42\+0118b8'),
      ('V', U&'\+01d20d\0667\06f7\0474\2d38\13d9\142f\a6df\a4e6\+016f08\+0118a0\+01051d'),
      ('W', U&'\+0118ef\+0118e6\051c\13b3\13d4\a4ea'),
      ('X', U&'\166d\2573\+010322\+0118ec\a7b3\03a7\2cac\0425\2d5d\16b7\a4eb\+010290\+0102b4\+010317\+010527'),
      ('Y', U&'\03a5\2ca8\0423\04ae\13a9\13bd\a4ec\+016f43\+0118a4\+0102b2'),
      ('Z', U&'\+0102f5\+0118e5\0396\13c3\a4dc\+0118a9'),
      ('_', U&'\07fa'),
      ('a', U&'\237a\0251\03b1\0430'),
      ('b', U&'\0184\042c\13cf\15af'),
      ('c', U&'\1d04\2ca5\0441\abaf\+01043d'),
      ('d', U&'\0501\13e7\146f\a4d2'),
      ('e', U&'\212e\ab32\0435\04bd'),
      ('f', U&'\ab35\a799\1e9d\0584'),
      ('g', U&'\0261\1d83\018d\0581'),
      ('h', U&'\04bb\0570\13c2'),
      ('i', U&'\2373\0131\026a\0269\03b9\0456\a647\04cf\ab75\13a5\+0118c3'),
      ('j', U&'\03f3\0458'),
      ('l', U&'I1|\05c0\2223\23fd\0661\06f1\+010320\+01e8c7\0196\01c0\0399\2c92\0406\04c0\05d5\05df\0627\07ca\2d4f\16c1\a4f2'
        || U&'\+016f28\+01028a\+010309'),
      ('n', U&'\0578\057c'),
      ('o', U&'\0966\0a66\0ae6\0be6\0c66\0ce6\0d66\0e50\0ed0\1040\0665\06f5\1d0f\1d11\ab3d\03bf\03c3\2c9f\043e\10ff\0585\05e1'
        || U&'\0647\06be\06c1\06d5\0d20\101d\+0104ea\+0118c8\+0118d7\+01042c'),
      ('p', U&'\2374\03c1\2ca3\0440'),
      ('q', U&'\051b\0563\0566'),
      ('r', U&'\ab47\ab48\1d26\2c85\0433\ab81'),
      ('s', U&'\a731\01bd\0455\abaa\+0118c1\+010448'),
      ('u', U&'\a79f\1d1c\ab4e\ab52\028b\03c5\057d\+0104f6\+0118d8'),
      ('v', U&'\2228\22c1\1d20\03bd\0475\05d8\+011706\aba9\+0118c0'),
      ('w', U&'\026f\1d21\0461\051d\0561\+01170a\+01170e\+01170f\ab83'),
      ('x', U&'\166e\00d7\292b\292c\2a2f\0445\1541\157d'),
      ('y', U&'\0263\1d8c\028f\1eff\ab5a\03b3\0443\04af\10e7\+0118dc'),
      ('z', U&'\1d22\ab93\+0118c4')
    ) as alike (sign, looks)
  ) as alike
$function$;

CREATE OR REPLACE FUNCTION public.split_order(whole bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  first_seller bigint;
  part record;
begin
  select min(p.seller_id) into first_seller
    from order_lines as l join products as p on p.id = l.product_id where l.order_id = whole;
  if first_seller is null then
    return;
  end if;
  for part in
    select p.seller_id, nextval('ids') as id
    from order_lines as l join products as p on p.id = l.product_id
    where l.order_id = whole and p.seller_id <> first_seller group by p.seller_id order by p.seller_id
  loop
    insert into orders (id, user_id, status, total_cents, created_at, cancelled_at, purchase_id, seller_id, is_open)
      select part.id, o.user_id, o.status, sum(l.price_cents::bigint * l.quantity), o.created_at, o.cancelled_at, whole,
        part.seller_id, o.is_open
      from orders as o join order_lines as l on l.order_id = o.id join products as p on p.id = l.product_id
      where o.id = whole and p.seller_id = part.seller_id group by o.id;
    update order_lines as l set order_id = part.id from products as p
      where l.order_id = whole and p.id = l.product_id and p.seller_id = part.seller_id;
    update outbox set subject = part.id
      where subject = whole and recipient = part.seller_id and kind in ('sold', 'sale-cancelled');
  end loop;
  update orders set seller_id = first_seller, purchase_id = whole,
    total_cents = (select sum(price_cents::bigint * quantity) from order_lines where order_id = whole)
    where id = whole;
end $function$;

CREATE OR REPLACE FUNCTION public.sum_ratings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  -- Number of reviews and of stars that this row brings, or takes.
  reviews_more integer := 0;
  stars_more integer := 0;
begin
  if tg_op <> 'INSERT' and old.hidden_at is null then
    reviews_more := -1;
    stars_more := -old.stars;
  end if;
  if tg_op <> 'DELETE' and new.hidden_at is null then
    reviews_more := reviews_more + 1;
    stars_more := stars_more + new.stars;
  end if;
  if reviews_more = 0 and stars_more = 0 then
    return null;
  end if;
  if reviews_more = 1 then
    insert into ratings (product_id, reviews, stars) values (new.product_id, 1, stars_more)
      on conflict (product_id) do update set reviews = ratings.reviews + 1, stars = ratings.stars + excluded.stars;
  else
    update ratings set reviews = reviews + reviews_more, stars = stars + stars_more where product_id = old.product_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.time_bucket(at timestamp with time zone, bits integer)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select floor(extract(epoch from at) / (1 << bits))::bigint
$function$;

CREATE OR REPLACE FUNCTION public.touch_changed_at()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.changed_at := now();
  new.version := old.version + 1;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.weighted_rating(rating smallint, reviews integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when reviews = 0 then 0 else ((15000 + 100::bigint * rating * reviews) / (5 + reviews))::integer end
$function$;

CREATE VIEW catalogue_source AS
 SELECT p.id AS product_id,
    p.seller_id,
    p.category,
    p.price_cents,
    p.created_at,
    COALESCE(s.quantity, 0) > 0 AS in_stock,
    COALESCE(round(10.0 * r.stars::numeric / NULLIF(r.reviews, 0)::numeric), 0::numeric)::smallint AS rating,
    COALESCE(r.reviews, 0) AS reviews,
    plain_stems(searched_text(p.*, u.*)) || array_to_tsvector(((ARRAY['in:'::text || p.category, 'by:'::text || p.seller_id] ||
        CASE
            WHEN p.section_id IS NULL THEN '{}'::text[]
            ELSE ARRAY['section:'::text || p.section_id]
        END) || (ARRAY( SELECT (bits.bits || ':'::text) || time_bucket(p.created_at, bits.bits)
           FROM unnest(ARRAY[10, 13, 16, 19, 22, 25]) bits(bits)))) || name_stems(p.name)) AS stems
   FROM products p
     JOIN users u ON u.id = p.seller_id
     LEFT JOIN stock s ON s.product_id = p.id
     LEFT JOIN ratings r ON r.product_id = p.id
  WHERE p.deleted_at IS NULL;

CREATE TRIGGER agreements_stay BEFORE DELETE OR UPDATE OR TRUNCATE ON agreements FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION forbid_direct_write('agreements are never rewritten');

CREATE TRIGGER brand_changed AFTER UPDATE ON brand FOR EACH STATEMENT EXECUTE FUNCTION notify_invalidate();

CREATE TRIGGER images_changed AFTER INSERT OR DELETE OR UPDATE ON images FOR EACH STATEMENT EXECUTE FUNCTION notify_invalidate();

CREATE TRIGGER operator_log_people BEFORE UPDATE OF operator_id, person_id ON operator_log FOR EACH ROW EXECUTE FUNCTION forbid_other_people();

CREATE TRIGGER operator_log_stays BEFORE DELETE OR UPDATE OF id, by_command, action, product_id, review_id, order_id, about, reason, rule, created_at OR TRUNCATE ON operator_log FOR EACH STATEMENT EXECUTE FUNCTION forbid_direct_write('what stands in operator_log is never rewritten');

CREATE TRIGGER order_event_units_stay BEFORE DELETE OR UPDATE OR TRUNCATE ON order_event_units FOR EACH STATEMENT EXECUTE FUNCTION forbid_direct_write('order_event_units are never rewritten');

CREATE TRIGGER order_event_units_summed AFTER INSERT ON order_event_units REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION apply_order_event();

CREATE TRIGGER order_events_paid AFTER INSERT ON order_events REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION apply_order_payment();

CREATE TRIGGER order_events_stay BEFORE DELETE OR UPDATE OF id, order_id, kind, about, role, carrier, tracking, cents, happened_on, key, created_at OR TRUNCATE ON order_events FOR EACH STATEMENT EXECUTE FUNCTION forbid_direct_write('order_events are never rewritten');

CREATE TRIGGER orders_cancelled_by_previous_release AFTER UPDATE OF status ON orders FOR EACH ROW WHEN (old.status = 'Pending'::text AND new.status = 'Cancelled'::text AND new.seller_id IS NOT NULL AND pg_trigger_depth() = 0) EXECUTE FUNCTION adopt_cancellation();

CREATE TRIGGER orders_handed_over_by_previous_release AFTER UPDATE OF user_id ON orders FOR EACH ROW WHEN (new.user_id <> old.user_id) EXECUTE FUNCTION forget_answers();

CREATE CONSTRAINT TRIGGER orders_of_previous_release AFTER INSERT ON orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.seller_id IS NULL) EXECUTE FUNCTION adopt_order();

CREATE TRIGGER page_versions_stay BEFORE DELETE OR UPDATE OF id, slug, text, created_at OR TRUNCATE ON page_versions FOR EACH STATEMENT EXECUTE FUNCTION forbid_direct_write('what stands in page_versions is never rewritten');

CREATE TRIGGER pages_changed AFTER INSERT OR DELETE OR UPDATE ON pages FOR EACH STATEMENT EXECUTE FUNCTION notify_invalidate();

CREATE TRIGGER pickup_places_changed AFTER INSERT OR DELETE OR UPDATE ON pickup_places FOR EACH STATEMENT EXECUTE FUNCTION notify_invalidate();

CREATE TRIGGER postage_profiles_changed AFTER INSERT OR DELETE OR UPDATE ON postage_profiles FOR EACH STATEMENT EXECUTE FUNCTION notify_invalidate();

CREATE TRIGGER postage_rates_changed AFTER INSERT OR DELETE OR UPDATE ON postage_rates FOR EACH STATEMENT EXECUTE FUNCTION notify_invalidate();

CREATE TRIGGER products_catalogued AFTER INSERT ON products FOR EACH ROW EXECUTE FUNCTION catalogue_product();

CREATE TRIGGER products_changed AFTER INSERT OR DELETE OR UPDATE ON products FOR EACH STATEMENT EXECUTE FUNCTION notify_invalidate();

CREATE TRIGGER products_note_change BEFORE UPDATE ON products FOR EACH ROW WHEN (old.* IS DISTINCT FROM new.* AND new.deleted_at IS NULL) EXECUTE FUNCTION touch_changed_at();

CREATE TRIGGER products_postage AFTER INSERT ON products REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION add_default_postage();

CREATE TRIGGER products_recatalogued AFTER UPDATE ON products FOR EACH ROW WHEN (old.* IS DISTINCT FROM new.*) EXECUTE FUNCTION catalogue_product();

CREATE TRIGGER ratings_catalogued AFTER INSERT OR UPDATE ON ratings FOR EACH ROW EXECUTE FUNCTION catalogue_rating();

CREATE TRIGGER reviews_changed AFTER INSERT OR DELETE OR UPDATE ON reviews FOR EACH STATEMENT EXECUTE FUNCTION notify_invalidate();

CREATE TRIGGER reviews_summed AFTER INSERT OR DELETE OR UPDATE OF stars, hidden_at ON reviews FOR EACH ROW EXECUTE FUNCTION sum_ratings();

CREATE TRIGGER sections_changed AFTER INSERT OR DELETE OR UPDATE ON sections FOR EACH STATEMENT EXECUTE FUNCTION notify_invalidate();

CREATE TRIGGER seller_details_changed AFTER INSERT OR DELETE OR UPDATE ON seller_details FOR EACH STATEMENT EXECUTE FUNCTION notify_invalidate();

CREATE TRIGGER sessions_remembered AFTER DELETE ON sessions REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION remember_ended();

CREATE TRIGGER shops_changed AFTER INSERT OR DELETE OR UPDATE ON shops FOR EACH STATEMENT EXECUTE FUNCTION notify_invalidate();

CREATE TRIGGER stock_by_ledger BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON stock FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION forbid_direct_write('stock is changed by a row in stock_ledger');

CREATE TRIGGER stock_catalogued AFTER UPDATE OF quantity ON stock FOR EACH ROW WHEN ((old.quantity = 0) <> (new.quantity = 0)) EXECUTE FUNCTION catalogue_stock();

CREATE TRIGGER stock_changed AFTER INSERT OR DELETE OR UPDATE ON stock FOR EACH STATEMENT EXECUTE FUNCTION notify_invalidate();

CREATE TRIGGER stock_first_catalogued AFTER INSERT ON stock FOR EACH ROW WHEN (new.quantity > 0) EXECUTE FUNCTION catalogue_stock();

CREATE TRIGGER stock_ledger_stays BEFORE DELETE OR UPDATE OR TRUNCATE ON stock_ledger FOR EACH STATEMENT EXECUTE FUNCTION forbid_direct_write('what stands in stock_ledger is never rewritten');

CREATE TRIGGER stock_ledger_summed AFTER INSERT ON stock_ledger REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION apply_ledger();

CREATE TRIGGER users_changed AFTER DELETE OR UPDATE OF username, first_name, last_name, suspended_at ON users FOR EACH STATEMENT EXECUTE FUNCTION notify_invalidate();

CREATE TRIGGER users_deleted_by_previous_release BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION forget_user();

CREATE TRIGGER users_skeleton BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION set_username_skeleton();

CREATE TRIGGER users_skeleton_again BEFORE UPDATE OF username ON users FOR EACH ROW WHEN (old.username IS DISTINCT FROM new.username) EXECUTE FUNCTION set_username_skeleton();

CREATE TRIGGER users_username_held AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION refuse_held_username();

CREATE TRIGGER users_username_held_again AFTER UPDATE OF username ON users FOR EACH ROW WHEN (old.username IS DISTINCT FROM new.username) EXECUTE FUNCTION refuse_held_username();

CREATE TRIGGER variants_changed AFTER INSERT OR DELETE OR UPDATE ON variants FOR EACH STATEMENT EXECUTE FUNCTION notify_invalidate();

CREATE TRIGGER variants_quantity_by_ledger BEFORE UPDATE OF quantity ON variants FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION forbid_direct_write('stock is changed by a row in stock_ledger');
