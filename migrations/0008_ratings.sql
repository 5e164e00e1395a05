-- Running sums of the reviews of a listing. The trigger keeps them in the transaction of the review itself,
-- so they cannot drift from it, whoever writes.
create table ratings (
  product_id bigint primary key references products,
  reviews integer not null constraint ratings_reviews check (reviews >= 0),
  stars integer not null constraint ratings_stars check (stars between reviews and 5 * reviews)
) with (fillfactor = 50);

insert into ratings (product_id, reviews, stars)
  select product_id, count(*), sum(stars) from reviews group by product_id;

create function sum_ratings() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into ratings (product_id, reviews, stars) values (new.product_id, 1, new.stars)
      on conflict (product_id) do update set reviews = ratings.reviews + 1, stars = ratings.stars + new.stars;
  elsif tg_op = 'DELETE' then
    update ratings set reviews = reviews - 1, stars = stars - old.stars where product_id = old.product_id;
  else
    update ratings set stars = stars + new.stars - old.stars where product_id = new.product_id;
  end if;
  return null;
end $$;

create trigger reviews_summed after insert or delete or update of stars on reviews
  for each row execute function sum_ratings();
