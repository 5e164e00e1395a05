-- Postage profiles are added by forms: the same sending again adds no second one.
alter table postage_profiles
  add column added_as text,
  add constraint postage_profiles_added_once unique (seller_id, added_as);
