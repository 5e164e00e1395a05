/** Orders of two sellers, one with few and one with many. */
import type pg from 'pg'

/** Number of orders of each. */
export const SALES = { few: 100, many: 10_000 }

/**
 * Adds orders with two lines each, placed over a year. Every tenth is open; the others were sent in one parcel, and half of
 * them are paid. They are written past the triggers, with the sums that these would keep.
 */
export async function addSales(client: pg.Client, seller: number, count: number): Promise<void> {
  await client.query('begin; set local session_replication_role = replica')
  await client.query(
    `with pieces as (select id, price_cents, row_number() over (order by id) - 1 as place from (select id, price_cents from products order by id limit 200) as p),
      shoppers as (select id, row_number() over (order by id) - 1 as place, count(*) over () as all_of_them from users),
      placed as (
        select nextval('ids') as id, n, n % 10 = 0 as open, n % 2 = 0 as paid, a.id as one, b.id as two, a.price_cents as price_one,
          b.price_cents as price_two, s.id as shopper, now() - n * interval '52 minutes' as at
        from generate_series(1, $2::int) as n
        join pieces as a on a.place = n % 100 join pieces as b on b.place = 100 + n % 100
        join shoppers as s on s.place = n * 13 % s.all_of_them
      ),
      ordered as (
        insert into orders (id, purchase_id, user_id, seller_id, status, total_cents, postage_cents, created_at, ready_by, is_open, paid_cents)
        select id, id, shopper, $1, case when open then 'Pending' else 'Sent' end, price_one + 2 * price_two + 450, 450, at,
          at + interval '3 days', open, case when paid then price_one + 2 * price_two + 450 else 0 end
        from placed
      ),
      written as (
        insert into order_lines (order_id, product_id, name, price_cents, quantity, sent)
        select id, one, 'A piece', price_one, 1, case when open then 0 else 1 end from placed
        union all select id, two, 'Another piece', price_two, 2, case when open then 0 else 2 end from placed
      ),
      addressed as (
        insert into order_addresses (order_id, name, line1, line2, city, region, postal_code, country)
        select id, 'Visitor Fromafar', 'Long Street ' || n, '', 'Lakeside', '', '12345', 'PT' from placed
      ),
      sent as (
        insert into order_events (order_id, kind, role, carrier, tracking, created_at)
        select id, 'sent', 'maker', 'DHL', 'TR' || n, at + interval '1 day' from placed where not open
        returning id, order_id
      ),
      payments as (
        insert into order_events (order_id, kind, role, cents, happened_on, created_at)
        select id, 'paid', 'maker', price_one + 2 * price_two + 450, at::date, at from placed where paid
      )
    insert into order_event_units (event_id, order_id, product_id, units)
    select sent.id, order_id, one, 1 from sent join placed on placed.id = order_id
    union all select sent.id, order_id, two, 2 from sent join placed on placed.id = order_id`,
    [seller, count],
  )
  await client.query('commit')
}
