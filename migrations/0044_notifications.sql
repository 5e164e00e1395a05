-- Kinds of letters that somebody has switched off. All others are sent.
create table letters_off (
  user_id bigint not null references users on delete cascade,
  kind text not null,
  primary key (user_id, kind)
);

-- Whether the person reads it on the site too, as a notification. Letters of before are none.
alter table outbox add column notify boolean not null default false;
-- The notifications of a person, newest first, and the number of those that are unread.
create index outbox_notifications on outbox (recipient, created_at, id) where notify;

-- What was written later is unread.
alter table users add column notifications_seen_at timestamptz not null default now();

-- Signs the links in letters that work without a login (HMAC). 244 random bits.
alter table installation add column link_key bytea not null
  default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
