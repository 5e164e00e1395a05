create table images (
  id bigint primary key default nextval('ids'),
  product_id bigint not null references products,
  -- Random name of the folder that holds the files.
  folder text not null unique,
  kind text not null check (kind in ('picture', 'animation', 'document')),
  -- Pixels of the widest rendition; null where a pdf could not be drawn.
  width integer,
  height integer,
  widths integer[] not null,
  created_at timestamptz not null default now()
);
create index images_of_product on images (product_id, id);
