-- What a person is shown of their sessions. The id tells one from another, and opens nothing.
alter table sessions
  add column id bigint not null default nextval('ids') constraint sessions_id unique,
  -- 'Firefox on Windows': these words are kept, and not what the browser said of itself.
  add column device text not null default 'A browser' constraint sessions_device_length check (char_length(device) between 1 and 60),
  -- To the hour: written when it is older than that.
  add column used_at timestamptz not null default now();
