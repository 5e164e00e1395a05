-- Two people write to each other without an order: one of them, the shopper, has asked the other, a maker. There is one
-- conversation of two people, whoever began it; only they read it.
create table conversations (
  id bigint primary key default nextval('ids'),
  shopper_id bigint not null references users,
  maker_id bigint not null references users,
  -- The listing that it began from.
  product_id bigint references products on delete set null,
  -- Since when a side wants no more messages.
  shopper_stopped_at timestamptz,
  maker_stopped_at timestamptz,
  created_at timestamptz not null default now(),
  -- When the newest message was written.
  newest_at timestamptz not null default now(),
  constraint conversations_of_two check (shopper_id <> maker_id)
);
create unique index conversations_once on conversations (least(shopper_id, maker_id), greatest(shopper_id, maker_id));
create index conversations_shopper on conversations (shopper_id, newest_at desc, id desc);
create index conversations_maker on conversations (maker_id, newest_at desc, id desc);
create index conversations_product on conversations (product_id) where product_id is not null;

create table conversation_messages (
  id bigint primary key default nextval('ids'),
  conversation_id bigint not null references conversations on delete cascade,
  role text not null check (role in ('shopper', 'maker')),
  text text not null constraint conversation_messages_length check (char_length(text) <= 2000),
  key text,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  constraint conversation_messages_once unique (conversation_id, role, key)
);
create index conversation_messages_order on conversation_messages (conversation_id, id);
create index conversation_messages_unread on conversation_messages (conversation_id, role) where read_at is null;
