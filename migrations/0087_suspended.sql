-- Somebody who is suspended sells nothing and writes no reviews.
alter table users add column suspended_at timestamptz;
drop trigger users_changed on users;
create trigger users_changed after delete or update of username, first_name, last_name, suspended_at on users
  for each statement execute function notify_invalidate();
