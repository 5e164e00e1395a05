-- Until the next release: the release before, which runs beside this one during an upgrade, deletes accounts without knowing of
-- addresses, postage, choices for carts and the sellers of orders. Listings belong to the row without a name by then.
create function forget_user() returns trigger language plpgsql as $$
begin
  delete from cart_choices where user_id = old.id or seller_id = old.id;
  delete from addresses where user_id = old.id;
  delete from postage_profiles where seller_id = old.id;
  update orders as o
    set seller_id = (
      select p.seller_id from order_lines as l join products as p on p.id = l.product_id where l.order_id = o.id limit 1
    )
    where seller_id = old.id;
  return old;
end $$;
create trigger users_deleted_by_previous_release before delete on users
  for each row execute function forget_user();
