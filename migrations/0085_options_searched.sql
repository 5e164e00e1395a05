-- Options of variations are searched: a mug whose glaze is chosen is found by the colour of the glaze.
create or replace function searched_text(listing products, seller users) returns text language sql stable parallel safe as $$
  select concat_ws(' ', listing.name, listing.title, listing.category, listing.description,
    array_to_string(listing.tags, ' '), array_to_string(listing.materials, ' '),
    (
      select string_agg(option, ' ')
      from jsonb_array_elements(listing.variations) as variation,
        jsonb_array_elements_text(variation -> 'options') as option
    ),
    seller.username, seller.first_name, seller.last_name)
$$;

do $$
declare
  maker bigint;
  written text;
begin
  -- A change of a listing writes the options that it read, and the words: one waits for the other.
  lock table products in share mode;
  update catalogue set stems = source.stems
    from catalogue_source as source join products as p on p.id = source.product_id
    where source.product_id = catalogue.product_id and p.variations <> '[]';
  for maker, written in
    select seller_id, string_agg(option, ' ')
    from products, jsonb_array_elements(variations) as variation,
      jsonb_array_elements_text(variation -> 'options') as option
    where deleted_at is null
    group by seller_id order by seller_id
  loop
    perform add_vocabulary(written, maker);
  end loop;
end $$;
