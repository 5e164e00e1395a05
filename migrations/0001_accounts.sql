-- One sequence for every resource: an id names one thing in the whole shop.
create sequence ids as bigint;

create table users (
  id bigint primary key default nextval('ids'),
  username text not null constraint users_username_length check (char_length(username) between 3 and 30),
  email text not null constraint users_email_shape check (position('@' in email) > 0 and char_length(email) <= 254),
  first_name text not null constraint users_first_name_length check (char_length(first_name) between 3 and 30),
  last_name text not null constraint users_last_name_length check (char_length(last_name) between 3 and 30),
  password_hash text not null,
  created_at timestamptz not null default now()
);
create unique index users_username_taken on users (lower(username));
create unique index users_email_taken on users (lower(email));

-- The cookie's token is never stored, only its SHA-256: a dump of this table lets nobody in.
create table sessions (
  token_hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);
create index sessions_expired on sessions (expires_at);

-- Counters of what can be abused, one row a subject and window. They may be lost in a crash.
create unlogged table limits (
  subject text not null,
  window_start timestamptz not null,
  count integer not null,
  primary key (subject, window_start)
);
