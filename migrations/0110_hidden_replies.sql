-- An operator hides the reply to a review as they hide a review; it can be reported by itself. Whoever deletes it takes it out for
-- good. The constraint is validated by the next migration.
alter table reviews
  add column reply_hidden_at timestamptz,
  add constraint reviews_reply_hidden check (reply_hidden_at is null or reply is not null) not valid;
-- Whether a report with a review is about the reply to it.
alter table reports add column of_reply boolean not null default false;
