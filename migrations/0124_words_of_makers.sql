-- 'Clay.co', 'Studio-5' and 'Berlin/Brandenburg' are two words each, as a query is split: the parser of the text search would
-- take the first for a host, the last for a file, and '-5' for a number. The table of shops is locked while both indexes are
-- built, and the version before searches it without an index: it is small.
create function separate_words(written text) returns tsvector language sql immutable parallel safe as $$
  select to_tsvector('pg_catalog.simple', translate(written, './@:_~&=?%<>#+-', '               '))
$$;

drop index shops_name_words, shops_place_words;
create index shops_name_words on shops using gin (separate_words(name)) where name <> '';
create index shops_place_words on shops using gin (separate_words(place)) where place <> '';
