-- Operators find what is hidden or suspended, and the reports about a review.
create index products_hidden on products (id) where hidden_at is not null;
create index reviews_hidden on reviews (id) where hidden_at is not null;
create index users_suspended on users (id) where suspended_at is not null;
create index reports_review on reports (review_id) where review_id is not null;

-- Somebody reports the same once, until it is answered. Columns that are null are equal here.
create unique index reports_once on reports (reporter_id, person_id, product_id, review_id) nulls not distinct
  where answered_by is null and reporter_id is not null;

-- Who did it and whom it concerns is forgotten with their account, and changed by nobody.
create function forbid_other_people() returns trigger language plpgsql as $$
begin
  if (new.operator_id is not null and new.operator_id is distinct from old.operator_id)
    or (new.person_id is not null and new.person_id is distinct from old.person_id)
    or exists (select from users where id = old.operator_id and new.operator_id is null)
    or exists (select from users where id = old.person_id and new.person_id is null)
  then
    raise exception 'what stands in operator_log is never rewritten';
  end if;
  return new;
end $$;
create trigger operator_log_people
  before update of operator_id, person_id on operator_log for each row execute function forbid_other_people();
