-- The directory finds makers by their own name where they show it.
create index shops_names_shown on shops (user_id) where shows_name;
