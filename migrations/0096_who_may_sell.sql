-- What operators set in the browser. One row.
create table site_settings (
  only_row boolean primary key default true check (only_row),
  who_may_sell text not null default 'open' check (who_may_sell in ('open', 'approval', 'invitation')),
  -- Whether makers must say who sells, before they add listings.
  seller_details_required boolean not null default false
);
insert into site_settings default values;

-- Since when somebody may sell where not everybody may.
alter table users add column approved_at timestamptz;

create table applications (
  id bigint primary key default nextval('ids'),
  user_id bigint not null references users on delete cascade,
  words text not null,
  created_at timestamptz not null default now(),
  -- The entry of the log that answers it.
  answered_by bigint references operator_log,
  accepted boolean,
  check ((answered_by is null) = (accepted is null))
);
-- One that waits at a time.
create unique index applications_waiting on applications (user_id) where answered_by is null;
create index applications_user on applications (user_id, id);
create index applications_queue on applications (id) where answered_by is null;
create index applications_answered on applications (answered_by) where answered_by is not null;

-- Links with which people may sell.
create table invitations (
  id bigint primary key default nextval('ids'),
  token_hash bytea not null unique,
  -- For whom it is: operators read it.
  note text not null,
  uses_left int not null check (uses_left >= 0),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_by bigint references users on delete set null,
  created_at timestamptz not null default now()
);
create index invitations_created_by on invitations (created_by) where created_by is not null;

-- Who came by which link.
create table invitation_uses (
  user_id bigint primary key references users on delete cascade,
  invitation_id bigint not null references invitations,
  used_at timestamptz not null default now()
);
create index invitation_uses_invitation on invitation_uses (invitation_id);

-- Who sells, as the law asks: of a trader name, address and contact, of anybody whether they are one.
create table seller_details (
  user_id bigint primary key references users on delete cascade,
  is_trader boolean not null,
  name text not null,
  address text not null,
  email text not null,
  phone text not null,
  -- Trade register and number; VAT number. May be empty.
  register text not null,
  vat_id text not null,
  -- Who answers for product safety in the European Union, where the maker is elsewhere. May be empty.
  responsible_person text not null,
  confirmed_at timestamptz not null default now()
);
