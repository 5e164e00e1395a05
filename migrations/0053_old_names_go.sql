-- Up to the release before the last one, programs used these names of versions 0034 and 0035. The last one uses the tables
-- and functions themselves.
drop view limits, shop, words;
drop function catalogue_newest(tsquery, integer, integer, integer, boolean, integer, timestamptz, bigint, double precision, bigint);
drop function learn_words(text, bigint);
