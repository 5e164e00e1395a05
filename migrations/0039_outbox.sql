-- Letters to send (transactional outbox). A row is written in the transaction of its fact. It names the fact and the person,
-- and holds no text and no address: both are read when the letter is sent.
create table outbox (
  -- Also the Message-ID, so that two copies of a letter can be recognized.
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  -- Id of what the letter is about. No foreign key: of what was deleted meanwhile there is no letter.
  subject bigint not null,
  -- Id of the user.
  recipient bigint not null,
  created_at timestamptz not null default now(),
  -- When it is tried next; null: sent, failed, or nothing left to say.
  due_at timestamptz default now(),
  tries integer not null default 0,
  sent_at timestamptz,
  failed_at timestamptz,
  last_error text,
  constraint outbox_once unique (kind, subject, recipient)
);
create index outbox_due on outbox (due_at) where due_at is not null;
create index outbox_sent on outbox (recipient, sent_at) where sent_at is not null;
create index outbox_failed on outbox (failed_at) where failed_at is not null;
