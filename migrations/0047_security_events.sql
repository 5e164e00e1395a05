-- What a letter about the security of an account says; its row in the outbox has the kind. What it is about may be gone when
-- it is written: a session that has ended, a passkey that was removed.
create table security_events (
  id bigint primary key default nextval('ids'),
  user_id bigint not null references users on delete cascade,
  -- From which it was done, in words: 'Firefox on Windows'.
  device text not null,
  -- Name of the passkey, where it is about one.
  passkey text,
  created_at timestamptz not null default now()
);
create index security_events_user on security_events (user_id);
create index security_events_created on security_events (created_at);
