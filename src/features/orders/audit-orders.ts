/** First entry of the stock ledger; earlier orders are not in it. */
const LEDGER_START = '(select min(created_at) from stock_ledger)'

/**
 * Entries of the stock ledger by purchase and listing. Orders of several sellers from before there was one order for each have
 * entries under the number of the purchase.
 */
const entries = (reason: 'sale' | 'cancel') =>
  `(select coalesce(o.purchase_id, e.order_id) as purchase_id, e.product_id, sum(e.units) as units
    from stock_ledger e left join orders o on o.id = e.order_id where e.reason = '${reason}' group by 1, 2)`

/** Rules of orders, each with a statement that has a row with the column `what` for every finding. */
export const orderRules: [rule: string, sql: string][] = [
  // The seller of a deleted account is emptied.
  [
    'Each order has a purchase, and a seller who is there',
    `select format('order %s: seller %s, purchase %s', id, coalesce(seller_id::text, 'none'), coalesce(purchase_id::text, 'none')) as what
     from orders o where purchase_id is null or seller_id is null and exists (
       select 1 from order_lines l join products p on p.id = l.product_id join users u on u.id = p.seller_id
       where l.order_id = o.id and u.erased_at is null
     )`,
  ],
  [
    'What the ledger sold is what orders hold',
    `select format('purchase %s, listing %s: %s ordered, %s in the ledger', coalesce(b.purchase_id, l.purchase_id), coalesce(b.product_id, l.product_id), coalesce(l.quantity, 0), coalesce(-b.units, 0)) as what
     from ${entries('sale')} b
     full join (
       select o.purchase_id, l.product_id, sum(l.quantity) as quantity, max(o.created_at) as at
       from order_lines l join orders o on o.id = l.order_id group by 1, 2
     ) l on l.purchase_id = b.purchase_id and l.product_id = b.product_id
     where l.quantity is distinct from -b.units and (b.purchase_id is not null or l.at > ${LEDGER_START})`,
  ],
  // Stock above its maximum is not given back.
  [
    'Cancelled pieces were given back to stock, and no others',
    `select format('purchase %s, listing %s: %s cancelled, %s given back', coalesce(b.purchase_id, l.purchase_id), coalesce(b.product_id, l.product_id), coalesce(l.units, 0), coalesce(b.units::text, 'nothing')) as what
     from ${entries('cancel')} b
     full join (
       select o.purchase_id, u.product_id, sum(u.units) as units, max(e.created_at) as at
       from order_event_units u join order_events e on e.id = u.event_id join orders o on o.id = u.order_id
       where e.kind = 'cancelled' group by 1, 2
     ) l on l.purchase_id = b.purchase_id and l.product_id = b.product_id
     where b.units is null and l.at > ${LEDGER_START} or l.units is null or b.units > l.units`,
  ],
  [
    'What is sent and cancelled of an order is what happened to it',
    `select format('order %s, listing %s: %s sent, %s cancelled; %s and %s by its events', l.order_id, l.product_id, l.sent, l.cancelled, coalesce(e.sent, 0), coalesce(e.cancelled, 0)) as what
     from order_lines l
     left join (
       select u.order_id, u.product_id, u.line,
         coalesce(sum(u.units) filter (where e.kind in ('sent', 'collected')), 0)
           - coalesce(sum(u.units) filter (where e.kind = 'undone'), 0) as sent,
         coalesce(sum(u.units) filter (where e.kind = 'cancelled'), 0) as cancelled
       from order_event_units u join order_events e on e.id = u.event_id group by 1, 2, 3
     ) e on e.order_id = l.order_id and e.product_id = l.product_id and e.line = l.line
     where (l.sent, l.cancelled) <> (coalesce(e.sent, 0), coalesce(e.cancelled, 0))`,
  ],
  [
    'The status of an order follows from its pieces',
    `select format('order %s: %s, %s, with %s pieces of which %s are sent and %s cancelled', o.id, o.status, case when o.is_open then 'open' else 'not open' end, l.quantity, l.sent, l.cancelled) as what
     from orders o join (
       select order_id, sum(quantity) as quantity, sum(sent) as sent, sum(cancelled) as cancelled from order_lines group by order_id
     ) l on l.order_id = o.id
     where o.is_open <> (l.quantity > l.sent + l.cancelled) or o.status <> case
       when l.cancelled = l.quantity then 'Cancelled' when l.quantity = l.sent + l.cancelled then 'Sent'
       when l.sent > 0 then 'Part sent' when l.cancelled > 0 then 'Part cancelled' else 'Pending' end`,
  ],
  [
    'The total of an order is the sum of its lines and its postage',
    `select format('order %s: total %s cents, lines %s, postage %s', o.id, o.total_cents, coalesce(l.cents::text, 'none'), o.postage_cents) as what
     from orders o left join (select order_id, sum(price_cents::bigint * quantity) as cents from order_lines group by order_id) l on l.order_id = o.id
     where o.total_cents - o.postage_cents is distinct from l.cents`,
  ],
  [
    'What is cancelled, paid and refunded of an order is the sum of its events',
    `select format('order %s: %s cents cancelled, %s paid, %s refunded; %s, %s and %s by its lines and events', o.id, o.cancelled_cents, o.paid_cents, o.refunded_cents, l.cents, p.paid, p.refunded) as what
     from orders o
     join (
       select order_id, sum(price_cents::bigint * cancelled) as cents, bool_and(cancelled = quantity) as whole from order_lines group by order_id
     ) l on l.order_id = o.id
     cross join lateral (
       select coalesce(sum(e.cents) filter (where e.kind = 'paid'), 0) as paid, coalesce(sum(e.cents) filter (where e.kind = 'refunded'), 0) as refunded
       from order_events e where e.order_id = o.id and not exists (select 1 from order_events u where u.about = e.id and u.kind = 'undone')
     ) p
     where o.cancelled_cents <> l.cents + case when l.whole then o.postage_cents else 0 end
       or (o.paid_cents, o.refunded_cents) <> (p.paid, p.refunded)`,
  ],
  [
    'An order is cancelled at a time, and no other has one',
    `select format('order %s: %s, cancelled at %s', id, status, coalesce(cancelled_at::text, 'no time')) as what
     from orders where (status = 'Cancelled') <> (cancelled_at is not null)`,
  ],
]
