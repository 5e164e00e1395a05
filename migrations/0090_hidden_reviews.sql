-- A hidden review is shown to nobody and does not count.
alter table reviews add column hidden_at timestamptz;

create or replace function sum_ratings() returns trigger language plpgsql as $$
declare
  -- Number of reviews and of stars that this row brings, or takes.
  reviews_more integer := 0;
  stars_more integer := 0;
begin
  if tg_op <> 'INSERT' and old.hidden_at is null then
    reviews_more := -1;
    stars_more := -old.stars;
  end if;
  if tg_op <> 'DELETE' and new.hidden_at is null then
    reviews_more := reviews_more + 1;
    stars_more := stars_more + new.stars;
  end if;
  if reviews_more = 0 and stars_more = 0 then
    return null;
  end if;
  if reviews_more = 1 then
    insert into ratings (product_id, reviews, stars) values (new.product_id, 1, stars_more)
      on conflict (product_id) do update set reviews = ratings.reviews + 1, stars = ratings.stars + excluded.stars;
  else
    update ratings set reviews = reviews + reviews_more, stars = stars + stars_more where product_id = old.product_id;
  end if;
  return null;
end $$;

drop trigger reviews_summed on reviews;
create trigger reviews_summed after insert or delete or update of stars, hidden_at on reviews
  for each row execute function sum_ratings();
