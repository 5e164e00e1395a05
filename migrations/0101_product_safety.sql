-- What Regulation (EU) 2023/988 asks of offers at a distance (Article 19): who made a piece, and warnings.

-- Whether makers must say it before a listing is for sale.
alter table site_settings add column product_safety_required boolean not null default false;

alter table seller_details
  -- Whether they make things outside of the European Union and send them there.
  add column outside_eu boolean not null default false,
  -- Warnings and safety information of every listing that has none of its own. May be empty.
  add column safety text not null default '';

-- Constraints are validated by the next migration, which lets others read meanwhile.
alter table products
  -- Warnings and safety information. May be empty.
  add column safety text not null default '',
  -- Who made it, where that is not the seller: name, addresses, and who answers for it in the European Union. May be empty.
  add column manufacturer text not null default '',
  add constraint products_safety_length check (char_length(safety) <= 1000) not valid,
  add constraint products_manufacturer_length check (char_length(manufacturer) <= 600) not valid;
