-- Sums of an order in money, so that the list of its seller reads no events. They are kept by triggers.
alter table orders
  -- Of its cancelled pieces; without pieces there is no postage either.
  add column cancelled_cents bigint not null default 0,
  -- Recorded by hand, without what was undone.
  add column paid_cents bigint not null default 0,
  add column refunded_cents bigint not null default 0;
update orders set cancelled_cents = sums.cents + case when orders.status = 'Cancelled' then orders.postage_cents else 0 end
  from (
    select order_id, sum(price_cents::bigint * cancelled) as cents from order_lines where cancelled > 0 group by order_id
  ) as sums
  where orders.id = sums.order_id;
alter table orders
  add constraint orders_cancelled_cents check (cancelled_cents >= 0 and cancelled_cents <= total_cents),
  add constraint orders_refunded check (refunded_cents >= 0 and refunded_cents <= paid_cents);

-- As in 0054, with the money of what is cancelled.
create or replace function apply_order_event() returns trigger language plpgsql as $$
begin
  update order_lines as l
    set sent = l.sent + line.sent, cancelled = l.cancelled + line.cancelled
    from (
      select w.order_id, w.product_id,
        coalesce(sum(w.units) filter (where e.kind in ('sent', 'collected')), 0)
          - coalesce(sum(w.units) filter (where e.kind = 'undone'), 0) as sent,
        coalesce(sum(w.units) filter (where e.kind = 'cancelled'), 0) as cancelled
      from written as w join order_events as e on e.id = w.event_id
      group by w.order_id, w.product_id
    ) as line
    where l.order_id = line.order_id and l.product_id = line.product_id;
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

-- Sums payments and refunds up. The constraint orders_refunded refuses what would give back more than was paid.
create function apply_order_payment() returns trigger language plpgsql as $$
begin
  update orders as o
    set paid_cents = o.paid_cents + sums.paid, refunded_cents = o.refunded_cents + sums.refunded
    from (
      select w.order_id,
        coalesce(sum(w.cents) filter (where w.kind = 'paid'), 0)
          - coalesce(sum(was.cents) filter (where w.kind = 'undone' and was.kind = 'paid'), 0) as paid,
        coalesce(sum(w.cents) filter (where w.kind = 'refunded'), 0)
          - coalesce(sum(was.cents) filter (where w.kind = 'undone' and was.kind = 'refunded'), 0) as refunded
      from written as w left join order_events as was on was.id = w.about
      where w.kind in ('paid', 'refunded', 'undone') group by w.order_id
    ) as sums
    where o.id = sums.order_id and (sums.paid <> 0 or sums.refunded <> 0);
  return null;
end $$;
create trigger order_events_paid after insert on order_events referencing new table as written
  for each statement execute function apply_order_payment();
