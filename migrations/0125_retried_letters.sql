-- When those who run the shop have asked for another try of a letter: it fails five days after that, not after it was written.
alter table outbox add column retried_at timestamptz;
