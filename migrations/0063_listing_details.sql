-- What a seller can say of a listing beside its name and description, and the sections of their shop.

create table sections (
  id bigint primary key default nextval('ids'),
  seller_id bigint not null references users on delete cascade,
  name text not null constraint sections_name_length check (char_length(name) between 1 and 24),
  -- Their order on the seller's page.
  position integer not null,
  created_at timestamptz not null default now(),
  constraint sections_once unique (seller_id, name)
);
create trigger sections_changed after insert or delete or update on sections
  for each statement execute function notify_invalidate();

-- Constraints are validated by the next migration, which lets others read meanwhile.
alter table products
  -- The whole title, where the name had to be cut.
  add column title text not null default '',
  -- Paragraphs and lists as plain text.
  add column story text not null default '',
  add column tags text[] not null default '{}',
  add column materials text[] not null default '{}',
  add column weight_grams integer,
  add column length_mm integer,
  add column width_mm integer,
  add column height_mm integer,
  add column section_id bigint references sections on delete set null,
  add constraint products_title_length check (char_length(title) <= 140) not valid,
  add constraint products_story_length check (char_length(story) <= 5000) not valid,
  -- No line of the joined words is longer than one of them may be.
  add constraint products_tags_length
    check (cardinality(tags) <= 13 and array_to_string(tags, E'\n') !~ '[^\n]{21}') not valid,
  add constraint products_materials_length
    check (cardinality(materials) <= 13 and array_to_string(materials, E'\n') !~ '[^\n]{46}') not valid,
  add constraint products_weight check (weight_grams between 1 and 1000000) not valid,
  add constraint products_dimensions check (
    length_mm between 1 and 100000 and width_mm between 1 and 100000 and height_mm between 1 and 100000
  ) not valid;

-- Without the story: see ADR 0011.
create or replace function searched_text(listing products, seller users) returns text language sql stable parallel safe as $$
  select concat_ws(' ', listing.name, listing.title, listing.category, listing.description,
    array_to_string(listing.tags, ' '), array_to_string(listing.materials, ' '),
    seller.username, seller.first_name, seller.last_name)
$$;

-- The section as one more marker word.
create or replace view catalogue_source as
  select p.id as product_id, p.seller_id, p.category, p.price_cents, p.created_at,
    coalesce(s.quantity, 0) > 0 as in_stock,
    coalesce(round(10.0 * r.stars / nullif(r.reviews, 0)), 0)::smallint as rating,
    coalesce(r.reviews, 0) as reviews,
    plain_stems(searched_text(p, u))
      || array_to_tsvector(
        array['in:' || p.category, 'by:' || p.seller_id]
        || case when p.section_id is null then '{}' else array['section:' || p.section_id] end
        || array(select bits || ':' || time_bucket(p.created_at, bits) from unnest(array[10, 13, 16, 19, 22, 25]) as bits)
        || name_stems(p.name)
      ) as stems
  from products p
  join users u on u.id = p.seller_id
  left join stock s on s.product_id = p.id
  left join ratings r on r.product_id = p.id
  where p.deleted_at is null;
