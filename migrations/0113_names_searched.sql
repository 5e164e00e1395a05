-- Pieces are found by the first and last name of makers who show them, and of nobody else.
create function searched_names(seller users) returns text language sql stable parallel safe as $$
  select concat_ws(' ', seller.username, (
    select concat_ws(' ', nullif(s.name, ''), case when s.shows_name then seller.first_name || ' ' || seller.last_name end)
    from shops as s where s.user_id = seller.id
  ))
$$;

create or replace function searched_text(listing products, seller users) returns text language sql stable parallel safe as $$
  select concat_ws(' ', listing.name, listing.title, listing.category, listing.description,
    array_to_string(listing.tags, ' '), array_to_string(listing.materials, ' '),
    (
      select string_agg(option, ' ')
      from jsonb_array_elements(listing.variations) as variation,
        jsonb_array_elements_text(variation -> 'options') as option
    ),
    searched_names(seller))
$$;

do $$
begin
  -- Changes of a listing and of names write the words that they read: one waits for the other.
  lock table products in share mode;
  perform from users where exists (select from catalogue where seller_id = users.id) for update;
  update catalogue set stems = source.stems
    from catalogue_source as source
    where source.product_id = catalogue.product_id
      and not exists (select from shops where user_id = source.seller_id and shows_name);
end $$;
