-- In a migration of its own: it locks nothing that others read or write.
alter table reviews validate constraint reviews_reply_hidden;
create index reviews_replies_hidden on reviews (id) where reply_hidden_at is not null;

-- A review and its reply are reported once each.
drop index reports_once;
create unique index reports_once on reports (reporter_id, person_id, product_id, review_id, of_reply) nulls not distinct
  where answered_by is null and reporter_id is not null;
