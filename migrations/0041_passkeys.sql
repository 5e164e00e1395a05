-- Passkeys (WebAuthn credentials): a device or password manager holds the private key, the shop the public one, which opens
-- nothing.
create table passkeys (
  id bigint primary key default nextval('ids'),
  user_id bigint not null references users on delete cascade,
  credential_id text not null constraint passkeys_credential unique
    constraint passkeys_credential_length check (char_length(credential_id) between 1 and 1400),
  -- COSE, as the device sent it.
  public_key bytea not null,
  -- What the device calls the account: the same random bytes for all passkeys of a user, and nothing about them.
  user_handle bytea not null,
  -- Number of signatures, by which a copied key is noticed. Devices that do not count always say 0.
  counter bigint not null default 0 constraint passkeys_counter check (counter >= 0),
  transports text[] not null default '{}',
  -- Whether a password manager keeps it on several devices.
  backed_up boolean not null,
  name text not null constraint passkeys_name_length check (char_length(name) between 1 and 60),
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- What a passkey has to sign. Each is used once: it is deleted when an answer comes.
create table passkey_challenges (
  challenge bytea primary key,
  purpose text not null constraint passkey_challenges_purpose check (purpose in ('login', 'add', 'confirm')),
  -- Who asked; null for a login.
  user_id bigint references users on delete cascade,
  -- For a new passkey.
  user_handle bytea,
  expires_at timestamptz not null,
  constraint passkey_challenges_of_user check ((user_id is null) = (purpose = 'login'))
);
create index passkey_challenges_user on passkey_challenges (user_id) where user_id is not null;
create index passkey_challenges_expired on passkey_challenges (expires_at);
