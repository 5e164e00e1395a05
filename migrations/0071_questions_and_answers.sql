-- Answers of a shopper to the questions of a listing: [{"question": "Name", "answer": "Ana"}]. They are part of what a line is:
-- the same listing with other answers is another line.
alter table cart_lines
  add column answers jsonb not null default '[]',
  -- '' without answers. Answers are too long for an index.
  add column answers_digest text not null default '',
  -- Of the same name: the previous release refers to it, and knows only lines without answers.
  drop constraint cart_lines_one_each,
  add constraint cart_lines_one_each unique (user_id, product_id, answers_digest);

-- `line`: 1, 2, … among the lines of one listing in an order. The previous release knows only lines with number 1.
alter table order_lines
  add column line smallint not null default 1,
  -- As at checkout.
  add column answers jsonb not null default '[]';
create unique index order_lines_key on order_lines (order_id, product_id, line);
alter table order_event_units
  add column line smallint not null default 1,
  drop constraint order_event_units_order_id_product_id_fkey,
  drop constraint order_event_units_pkey,
  add constraint order_event_units_pkey primary key (event_id, product_id, line);
alter table order_lines drop constraint order_lines_pkey;
alter table order_lines add constraint order_lines_pkey primary key using index order_lines_key;
alter table order_event_units
  add constraint order_event_units_line_fkey foreign key (order_id, product_id, line) references order_lines not valid;
drop index order_event_units_line;
create index order_event_units_line on order_event_units (order_id, product_id, line);

-- As in 0061, by line.
create or replace function apply_order_event() returns trigger language plpgsql as $$
begin
  update order_lines as l
    set sent = l.sent + line.sent, cancelled = l.cancelled + line.cancelled
    from (
      select w.order_id, w.product_id, w.line,
        coalesce(sum(w.units) filter (where e.kind in ('sent', 'collected')), 0)
          - coalesce(sum(w.units) filter (where e.kind = 'undone'), 0) as sent,
        coalesce(sum(w.units) filter (where e.kind = 'cancelled'), 0) as cancelled
      from written as w join order_events as e on e.id = w.event_id
      group by w.order_id, w.product_id, w.line
    ) as line
    where l.order_id = line.order_id and l.product_id = line.product_id and l.line = line.line;
  update orders as o
    set is_open = sums.open > 0,
      status = case
        when sums.cancelled = sums.quantity then 'Cancelled'
        when sums.open = 0 then 'Sent'
        when sums.sent > 0 then 'Part sent'
        when sums.cancelled > 0 then 'Part cancelled'
        else 'Pending'
      end,
      cancelled_at = case when sums.cancelled = sums.quantity then coalesce(o.cancelled_at, now()) end,
      cancelled_cents = sums.cancelled_cents + case when sums.cancelled = sums.quantity then o.postage_cents else 0 end
    from (
      select order_id, sum(quantity) as quantity, sum(sent) as sent, sum(cancelled) as cancelled,
        sum(quantity - sent - cancelled) as open, sum(price_cents::bigint * cancelled) as cancelled_cents
      from order_lines where order_id in (select order_id from written) group by order_id
    ) as sums
    where o.id = sums.order_id;
  return null;
end $$;

-- Until the next release, as in 0054: cancellations and deleted accounts of the release before.
create or replace function adopt_cancellation() returns trigger language plpgsql as $$
declare
  event bigint;
begin
  insert into order_events (order_id, kind, role) values (new.id, 'cancelled', 'shopper') returning id into event;
  insert into order_event_units (event_id, order_id, product_id, line, units)
    select event, order_id, product_id, line, quantity from order_lines where order_id = new.id;
  return null;
end $$;
create function forget_answers() returns trigger language plpgsql as $$
begin
  update order_lines set answers = '[]' where order_id = new.id and answers <> '[]';
  return null;
end $$;
create trigger orders_handed_over_by_previous_release after update of user_id on orders
  for each row when (new.user_id <> old.user_id) execute function forget_answers();

-- What the maker asks the shopper: [{"title": "Name", "instructions": "", "required": true, "max_length": 20}], or with "options"
-- in place of "max_length".
alter table products
  add column questions jsonb not null default '[]',
  add constraint products_questions check (
    jsonb_typeof(questions) = 'array' and jsonb_array_length(questions) <= 5 and length(questions::text) <= 40000
  ) not valid;
