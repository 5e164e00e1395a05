-- The idempotency key of an upload, with the SHA-256 of its file: a retry after a lost response adds no second photo.
alter table images add column added_as text;
