-- When the owner of the account has shown that they read its address; null: not yet.
alter table users add column email_confirmed_at timestamptz;

-- Links that are sent by letter and prove that somebody reads an address. A row is written with its letter in the outbox; the
-- token is made when the letter is written, and only its hash is stored. A letter that is written again has another token; both
-- are valid, because the first one may have arrived.
create table email_links (
  id bigint primary key default nextval('ids'),
  -- Null: somebody asked for an address without an account. Its row costs the same time.
  user_id bigint references users on delete cascade,
  purpose text not null constraint email_links_purpose check (purpose in ('reset', 'confirm', 'change')),
  -- Where the letter goes. Of a change: the new address.
  email text not null,
  created_at timestamptz not null default now(),
  -- SHA-256 of each token.
  token_hashes bytea[] not null default '{}',
  -- Null until the letter is written.
  expires_at timestamptz,
  constraint email_links_issued check ((token_hashes = '{}') = (expires_at is null))
);
create index email_links_user on email_links (user_id, purpose);
create index email_links_tokens on email_links using gin (token_hashes);
create index email_links_created on email_links (created_at);
