-- What was there before 0054: default postage, the seller of each order, and cancellations.
with added as (
  insert into postage_profiles (seller_id, name, is_default)
  select distinct seller_id, 'Pick-up or by arrangement', true from products
  where not exists (select from postage_profiles as p where p.seller_id = products.seller_id and p.is_default)
  returning id
)
insert into pickup_places (profile_id, place) select id, 'Pick-up or by arrangement' from added;
update orders set purchase_id = id, seller_id = only_one.seller_id
  from (
    select l.order_id, min(p.seller_id) as seller_id
    from order_lines as l join products as p on p.id = l.product_id
    group by l.order_id having count(distinct p.seller_id) = 1
  ) as only_one
  where orders.id = only_one.order_id and orders.seller_id is null;
select split_order(id) from orders where seller_id is null order by id;
with happened as (
  insert into order_events (order_id, kind, role, created_at)
  select id, 'cancelled', 'shopper', coalesce(cancelled_at, created_at) from orders where status = 'Cancelled' and not exists (select from order_events as e where e.order_id = orders.id)
  returning id, order_id
)
insert into order_event_units (event_id, order_id, product_id, units)
select happened.id, l.order_id, l.product_id, l.quantity from happened join order_lines as l using (order_id);
