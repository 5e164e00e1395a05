-- Name and look of the shop, as operators set them. One row; what is null is that of brand.ts.
create table brand (
  only_row boolean primary key default true check (only_row),
  name text,
  short_name text,
  tagline text,
  description text,
  -- [{ name, role, profile }]
  team jsonb,
  -- Colours as '#rrggbb'.
  paper_light text check (paper_light ~ '^#[0-9a-f]{6}$'),
  accent_light text check (accent_light ~ '^#[0-9a-f]{6}$'),
  paper_dark text check (paper_dark ~ '^#[0-9a-f]{6}$'),
  accent_dark text check (accent_dark ~ '^#[0-9a-f]{6}$'),
  -- Instead of the mark.
  logo bigint references images on delete set null,
  -- The picture of the front page, with what is said below it and where it leads.
  hero bigint references images on delete set null,
  hero_caption text not null default '',
  hero_link text not null default ''
);
insert into brand default values;
create trigger brand_changed after update on brand for each statement execute function notify_invalidate();
create index brand_logo on brand (logo) where logo is not null;
create index brand_hero on brand (hero) where hero is not null;

-- When somebody ended the setup; null: operators are led through it.
alter table site_settings add column set_up_at timestamptz;

-- Links with which the first operator is named, while there is none.
create table setup_links (
  token_hash bytea primary key,
  created_at timestamptz not null default now()
);
