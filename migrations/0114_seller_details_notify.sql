-- Who a seller is stands on public pages: a change clears the caches of all processes.
create trigger seller_details_changed after insert or delete or update on seller_details
  for each statement execute function notify_invalidate();
