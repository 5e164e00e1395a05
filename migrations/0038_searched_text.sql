-- One function says what is searched, and the triggers of products compare whole rows. A new field needs no other place here.
-- Stock and ratings are tables of their own, so a sale or a review changes no row of products.
-- The triggers come first: they lock products, as a seller's change does before it reads the view.
create or replace trigger products_note_change before update on products for each row
  when (old.* is distinct from new.* and new.deleted_at is null)
  execute function touch_changed_at();

-- No condition of an insert can read the row before it, so there are two.
create or replace trigger products_catalogued after insert on products for each row
  execute function catalogue_product();
create trigger products_recatalogued after update on products for each row
  when (old.* is distinct from new.*)
  execute function catalogue_product();

-- All text by which a listing is found: what its seller says of it, and their names.
create function searched_text(listing products, seller users) returns text language sql stable parallel safe as $$
  select concat_ws(' ', listing.name, listing.category, listing.description,
    seller.username, seller.first_name, seller.last_name)
$$;

create or replace view catalogue_source as
  select p.id as product_id, p.seller_id, p.category, p.price_cents, p.created_at,
    coalesce(s.quantity, 0) > 0 as in_stock,
    coalesce(round(10.0 * r.stars / nullif(r.reviews, 0)), 0)::smallint as rating,
    coalesce(r.reviews, 0) as reviews,
    plain_stems(searched_text(p, u))
      || array_to_tsvector(
        array['in:' || p.category, 'by:' || p.seller_id]
        || array(select bits || ':' || time_bucket(p.created_at, bits) from unnest(array[10, 13, 16, 19, 22, 25]) as bits)
        || name_stems(p.name)
      ) as stems
  from products p
  join users u on u.id = p.seller_id
  left join stock s on s.product_id = p.id
  left join ratings r on r.product_id = p.id
  where p.deleted_at is null;

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
  perform add_vocabulary(searched_text(new, u), new.seller_id) from users u where u.id = new.seller_id;
  return null;
end $$;
